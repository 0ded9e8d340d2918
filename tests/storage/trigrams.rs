//! Searches in the middle of what users are called, with indexes of trigrams and without.

use crate::{Store, ids};
use claimsmith_domain::id::UserId;
use claimsmith_domain::search::{MatchMode, Search, Term};
use claimsmith_storage::organizations::members;
use claimsmith_storage::users::list::{FIELDS, Filter};
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{self as storage, Slice, Tx, organizations, roles};
use claimsmith_test_support::seed::{new_organization, new_role, new_user};
use claimsmith_test_support::{both, on_postgres};

const MOST: i64 = 10_001;

/// The folded texts of a user that are searched.
fn texts(user: &User) -> Vec<String> {
    let texts = [Some(user.id.as_str()), user.primary_email.as_deref(), user.primary_phone.as_deref()];
    let texts = texts.into_iter().chain([user.username.as_deref(), user.name.as_deref()]);
    texts.flatten().map(str::to_lowercase).collect()
}

fn containing(fields: &[&'static str], part: &str) -> Term {
    let part = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    Term { fields: fields.to_vec(), mode: MatchMode::Like, values: vec![format!("%{part}%")] }
}

fn search(terms: Vec<Term>, all: bool) -> Filter {
    Filter { search: Some(Search { terms, all, case_sensitive: false }), ..Filter::default() }
}

/// Those whom a filter finds, whole and in pages, and counted as well.
async fn found(tx: &mut Tx, filter: &Filter) -> Vec<UserId> {
    let whole: Vec<UserId> =
        users::list::list(tx, filter, Slice::ALL).await.unwrap().into_iter().map(|user| user.id).collect();
    let page = users::list::list(tx, filter, Slice { limit: 3, offset: 1 }).await.unwrap();
    assert!(page.iter().map(|user| &user.id).eq(whole.iter().skip(1).take(3)), "{filter:?}");
    let count = users::list::count_to(tx, filter, MOST).await.unwrap();
    assert_eq!(usize::try_from(count), Ok(whole.len()), "{filter:?}");
    assert_eq!(users::list::count_to(tx, filter, 2).await.unwrap(), count.min(2), "{filter:?}");
    assert_eq!(users::list::count(tx, filter).await.unwrap(), count, "{filter:?}");
    whole
}

/// Users of many kinds, last added first, as they are listed.
async fn people(tx: &mut Tx) -> Vec<User> {
    let names = ["Ada Lovelace", "Grace Hopper", "Ädäm \"the\" First", "50%_off", "back\\slash", "Ωmega Σίσυφος", "Al"];
    let mut added = Vec::new();
    for number in 0..60 {
        let name = names[number % names.len()];
        let user = User {
            name: Some(format!("{name} {number}")),
            username: (number % 2 == 0).then(|| format!("User_{number}")),
            primary_email: (number % 3 == 0).then(|| format!("Mail.{number}@Example.com")),
            primary_phone: (number % 5 == 0).then(|| format!("4917{number}")),
            is_suspended: number % 4 == 0,
            ..new_user()
        };
        users::insert(tx, &user).await.unwrap();
        added.insert(0, user);
    }
    added
}

both!(a_part_of_a_text_finds_who_has_it, async |store: Store| {
    let mut tx = store.begin().await;
    let people = people(&mut tx).await;
    for part in [
        "love",
        "LOVELACE",
        "a love",
        "grace hopper",
        "ser_1",
        "ser_",
        "example.com",
        "4917",
        "%_o",
        "k\\sl",
        "\"the\"",
        "ädä",
        "σίσυ",
        "al",
        "e",
        "nobody",
        "ce 1",
    ] {
        let folded = part.to_lowercase();
        let expected: Vec<&UserId> = people
            .iter()
            .filter(|user| texts(user).iter().any(|text| text.contains(&folded)))
            .map(|user| &user.id)
            .collect();
        let filter = search(vec![containing(&FIELDS, part)], true);
        assert!(found(&mut tx, &filter).await.iter().eq(expected.iter().copied()), "{part}");
        // Beside another condition.
        let filter = Filter { is_suspended: Some(true), ..filter };
        let suspended = people.iter().filter(|user| user.is_suspended && expected.contains(&&user.id));
        assert!(found(&mut tx, &filter).await.iter().eq(suspended.map(|user| &user.id)), "{part}");
    }
    // In the middle of one's own id.
    let part: String = people[7].id.chars().skip(3).take(6).collect();
    assert!(found(&mut tx, &search(vec![containing(&["id"], &part)], true)).await.contains(&people[7].id));
    assert!(!found(&mut tx, &search(vec![containing(&["name"], &part)], true)).await.contains(&people[7].id));
});

both!(terms_are_joined_as_the_search_says, async |store: Store| {
    let mut tx = store.begin().await;
    let people = people(&mut tx).await;
    let has = |text: Option<&String>, part: &str| text.is_some_and(|text| text.to_lowercase().contains(part));
    for all in [true, false] {
        let joined = |one: bool, other: bool| if all { one && other } else { one || other };
        for (one, other) in [("hopper", "ser_1"), ("hopper", "r_"), ("ho", "se"), ("lace", "nobody")] {
            let filter = search(vec![containing(&["name"], one), containing(&["username"], other)], all);
            let expected =
                people.iter().filter(|user| joined(has(user.name.as_ref(), one), has(user.username.as_ref(), other)));
            let expected: Vec<&UserId> = expected.map(|user| &user.id).collect();
            assert!(found(&mut tx, &filter).await.iter().eq(expected), "{one} {other} {all}");
        }
        // Beside the beginning of another text.
        for beginning in ["u", "user", "user_1"] {
            let begins =
                Term { fields: vec!["username"], mode: MatchMode::Like, values: vec![format!("{beginning}%")] };
            let filter = search(vec![begins, containing(&["name"], "hopper")], all);
            let expected = people
                .iter()
                .filter(|user| joined(has(user.username.as_ref(), beginning), has(user.name.as_ref(), "hopper")));
            assert!(found(&mut tx, &filter).await.iter().eq(expected.map(|user| &user.id)), "{beginning} {all}");
        }
    }
    // Several values, and wildcards within.
    for (values, parts) in
        [(vec!["%hopper%", "%lovel%"], ["hopper", "lovel"]), (vec!["%ho%er 1%", "_da%ce%"], ["", ""])]
    {
        let values: Vec<String> = values.into_iter().map(str::to_owned).collect();
        let is_found = |name: &str| match parts {
            ["", ""] => name.contains("hopper 1") || name.starts_with("ada lovelace"),
            parts => parts.iter().any(|part| name.contains(part)),
        };
        let expected = people.iter().filter(|user| is_found(&user.name.as_ref().unwrap().to_lowercase()));
        let filter = search(vec![Term { fields: vec!["name"], mode: MatchMode::Like, values }], true);
        assert!(found(&mut tx, &filter).await.iter().eq(expected.map(|user| &user.id)), "{filter:?}");
    }
});

both!(who_is_renamed_or_deleted_is_found_as_what_they_are, async |store: Store| {
    let mut tx = store.begin().await;
    let people = people(&mut tx).await;
    let role = new_role("User");
    roles::insert(&mut tx, &role).await.unwrap();
    let named = |part: &str| search(vec![containing(&["name", "username"], part)], true);
    let renamed = User { name: Some("Barbara Liskov".to_owned()), ..people[0].clone() };
    assert!(users::update(&mut tx, &renamed).await.unwrap());
    assert_eq!(found(&mut tx, &named("liskov")).await, std::slice::from_ref(&renamed.id));
    let old = people[0].name.as_ref().unwrap().to_lowercase();
    assert!(!found(&mut tx, &named(&old)).await.contains(&renamed.id));
    // A change of something else.
    users::set_suspended(&mut tx, &renamed.id, true, 9).await.unwrap();
    assert_eq!(found(&mut tx, &named("liskov")).await, std::slice::from_ref(&renamed.id));
    roles::assign_to_user(&mut tx, &renamed.id, &role.id).await.unwrap();
    let without = Filter { without_role: Some(role.id.clone()), ..named("liskov") };
    assert!(found(&mut tx, &without).await.is_empty());
    assert!(users::delete(&mut tx, &renamed.id).await.unwrap());
    assert!(found(&mut tx, &named("liskov")).await.is_empty());
    tx.commit().await.unwrap();
    // What is undone was never there.
    let mut tx = store.begin().await;
    users::insert(&mut tx, &User { name: Some("Ken Thompson".to_owned()), ..new_user() }).await.unwrap();
    drop(tx);
    assert!(found(&mut store.begin().await, &named("thompson")).await.is_empty());
});

both!(members_are_found_by_parts_of_all_that_they_are_called, async |store: Store| {
    let mut tx = store.begin().await;
    let people = people(&mut tx).await;
    let organization = new_organization();
    organizations::insert(&mut tx, &organization).await.unwrap();
    let mut joined: Vec<&User> = people.iter().step_by(2).collect();
    let ids_of_members: Vec<UserId> = joined.iter().map(|user| user.id.clone()).collect();
    members::add(&mut tx, &organization.id, &ids_of_members).await.unwrap();
    joined.sort_by(|one, other| one.id.cmp(&other.id));
    for part in
        ["hopper", "grace hopper", "ser_", "example", "@example.com 49", "4917", "al", "ce 1", "nobody", "50%_off"]
    {
        let whole = |user: &User| {
            let text = |text: Option<&String>| text.map(|text| text.to_lowercase()).unwrap_or_default();
            let texts = [&user.username, &user.primary_email, &user.primary_phone, &user.name];
            let texts = texts.map(|one| text(one.as_ref()));
            format!("{} {}", user.id, texts.join(" "))
        };
        let expected = joined.iter().filter(|user| whole(user).contains(part)).map(|user| &user.id);
        let wanted = members::Filter { part: Some(part), role_id: None };
        let listed = members::list(&mut tx, &organization.id, wanted, Slice::ALL).await.unwrap();
        assert!(listed.iter().map(|user| &user.id).eq(expected), "{part}: {:?}", ids(&listed, |user| &user.id));
        let count = members::count(&mut tx, &organization.id, wanted).await.unwrap();
        assert_eq!(usize::try_from(count), Ok(listed.len()), "{part}");
    }
});

#[derive(claimsmith_storage::Row)]
struct Number {
    count: i64,
}

async fn count(tx: &mut Tx, sql: &'static str) -> i64 {
    tx.sql(sql).one::<Number>().await.unwrap().count
}

const EXTENSIONS: &str = "SELECT COUNT(*) AS count FROM pg_extension WHERE extname = 'pg_trgm'";
const INDEXES: &str = "SELECT COUNT(*) AS count FROM pg_class WHERE relname = 'users_by_trigrams'";
/// As in the migration; it has no parameters.
const CREATE: &str = include_str!("../../migrations/postgres/0047_user_trigrams.sql");

on_postgres!(without_the_extension_users_are_found_as_before, async |store: Store| {
    let mut tx = store.begin().await;
    people(&mut tx).await;
    if count(&mut tx, EXTENSIONS).await == 1 {
        assert_eq!(count(&mut tx, INDEXES).await, 1);
        tx.sql("DROP EXTENSION pg_trgm CASCADE").execute().await.unwrap();
    }
    tx.commit().await.unwrap();

    // Whoever may not create it gets by without.
    let mut tx = store.begin().await;
    tx.sql("SET LOCAL ROLE pg_monitor").execute().await.unwrap();
    tx.sql(CREATE).execute().await.unwrap();
    tx.sql("RESET ROLE").execute().await.unwrap();
    assert_eq!(count(&mut tx, EXTENSIONS).await, 0);
    tx.commit().await.unwrap();
    storage::migrate(&store.db).await.unwrap();
    let mut tx = store.begin().await;
    assert_eq!(count(&mut tx, INDEXES).await, 0);
    let hoppers = found(&mut tx, &search(vec![containing(&["name"], "hopper")], true)).await;
    assert!(!hoppers.is_empty());

    // Somebody creates it later: the next start makes the index.
    tx.sql("CREATE SCHEMA extensions").execute().await.unwrap();
    tx.sql("CREATE EXTENSION pg_trgm SCHEMA extensions").execute().await.unwrap();
    tx.commit().await.unwrap();
    for _ in 0..2 {
        storage::migrate(&store.db).await.unwrap();
        let mut tx = store.begin().await;
        assert_eq!(count(&mut tx, INDEXES).await, 1);
        assert_eq!(found(&mut tx, &search(vec![containing(&["name"], "hopper")], true)).await, hoppers);
    }
});
