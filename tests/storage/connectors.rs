//! Connectors, and the words of e-mails.

use crate::Store;
use claimsmith_domain::documents::connector::ConnectorType;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::id::EmailTemplateId;
use claimsmith_storage::connectors::{self, Connector};
use claimsmith_storage::messages;
use claimsmith_storage::messages::email_templates::{EmailTemplate, Filter};
use claimsmith_storage::{self as storage, Json};
use claimsmith_test_support::both;
use serde_json::json;

fn connector(id: &str, kind: &str, target: &str, created_at: i64) -> Connector {
    Connector {
        id: id.into(),
        connector_id: "factory".to_owned(),
        kind: ConnectorType::parse(kind).unwrap(),
        target: target.to_owned(),
        metadata: Json(json!({ "name": { "en": "A name" } })),
        config: "sealed".to_owned(),
        sync_profile: false,
        enable_token_storage: false,
        created_at,
    }
}

fn ids(found: &[Connector]) -> Vec<&str> {
    found.iter().map(|one| one.id.as_str()).collect()
}

both!(connectors_are_found_by_type_and_target, async |store: Store| {
    let mut tx = store.begin().await;
    for one in [
        connector("mail", "Email", "smtp", 3),
        connector("google", "Social", "google", 1),
        connector("google-app", "Social", "google", 2),
    ] {
        connectors::insert(&mut tx, &one).await.unwrap();
    }
    assert_eq!(ids(&connectors::list(&mut tx, None).await.unwrap()), ["google", "google-app", "mail"]);
    assert_eq!(ids(&connectors::list(&mut tx, Some("google")).await.unwrap()), ["google", "google-app"]);
    assert!(connectors::list(&mut tx, Some("x")).await.unwrap().is_empty());
    assert!(
        connectors::has(&mut tx, ConnectorType::Email).await.unwrap()
            && !connectors::has(&mut tx, ConnectorType::Sms).await.unwrap()
    );
    assert_eq!(connectors::find_of_type(&mut tx, ConnectorType::Email).await.unwrap().unwrap().id, "mail");
    assert!(connectors::find_of_type(&mut tx, ConnectorType::Sms).await.unwrap().is_none());

    let mut found = connectors::find(&mut tx, &"mail".into()).await.unwrap().unwrap();
    assert_eq!((found.metadata.0.clone(), found.config.as_str()), (json!({ "name": { "en": "A name" } }), "sealed"));
    (found.config, found.metadata) = ("other".to_owned(), Json(json!({})));
    (found.sync_profile, found.enable_token_storage) = (true, true);
    assert!(connectors::update(&mut tx, &found).await.unwrap());
    let again = connectors::find(&mut tx, &"mail".into()).await.unwrap().unwrap();
    assert_eq!(
        (again.config.as_str(), again.metadata.0, again.sync_profile, again.enable_token_storage),
        ("other", json!({}), true, true)
    );
    assert!(!connectors::update(&mut tx, &connector("nobody", "Sms", "x", 1)).await.unwrap());

    assert_eq!(connectors::delete_of_type(&mut tx, ConnectorType::Social).await.unwrap(), 2);
    assert!(connectors::delete(&mut tx, &"mail".into()).await.unwrap());
    assert!(!connectors::delete(&mut tx, &"mail".into()).await.unwrap());
    assert!(connectors::find(&mut tx, &"mail".into()).await.unwrap().is_none());
});

both!(there_is_one_connector_of_each_channel, async |store: Store| {
    let mut tx = store.begin().await;
    connectors::insert(&mut tx, &connector("one", "Email", "smtp", 1)).await.unwrap();
    connectors::insert(&mut tx, &connector("sms", "Sms", "http-sms", 1)).await.unwrap();
    tx.commit().await.unwrap();
    for second in [connector("two", "Email", "smtp", 1), connector("one", "Social", "x", 1)] {
        let mut tx = store.begin().await;
        let refused = connectors::insert(&mut tx, &second).await;
        assert!(matches!(refused, Err(storage::Error::Conflict)), "{refused:?}");
    }
});

fn template(id: &str, language: &str, kind: &str) -> EmailTemplate {
    EmailTemplate {
        id: id.into(),
        language_tag: language.to_owned(),
        template_type: TemplateType::parse(kind).unwrap(),
        details: Json(json!({ "subject": id, "content": "x" })),
        created_at: 1,
    }
}

both!(a_language_has_one_text_of_each_type, async |store: Store| {
    let mut tx = store.begin().await;
    for one in [template("t1", "en", "SignIn"), template("t2", "de", "SignIn"), template("t3", "en", "Register")] {
        let written = messages::email_templates::put(&mut tx, &one).await.unwrap();
        assert_eq!(written.id, one.id);
    }
    let again = messages::email_templates::put(&mut tx, &template("t4", "en", "SignIn")).await.unwrap();
    assert_eq!((again.id.as_str(), &again.details["subject"]), ("t1", &json!("t4")));
    let filter = |language_tag, template_type| Filter { language_tag, template_type };
    for (wanted, found) in [
        (filter(None, None), vec!["t2", "t3", "t1"]),
        (filter(Some("en"), None), vec!["t3", "t1"]),
        (filter(None, Some(TemplateType::SignIn)), vec!["t2", "t1"]),
        (filter(Some("de"), Some(TemplateType::Register)), vec![]),
    ] {
        let listed = messages::email_templates::list(&mut tx, wanted).await.unwrap();
        assert_eq!(listed.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), found, "{wanted:?}");
    }
    let (id, nobody) = (EmailTemplateId::from("t2"), EmailTemplateId::from("nobody"));
    let changed = Json(json!({ "subject": "new", "content": "y" }));
    assert!(messages::email_templates::update(&mut tx, &id, &changed).await.unwrap());
    assert!(!messages::email_templates::update(&mut tx, &nobody, &changed).await.unwrap());
    assert_eq!(messages::email_templates::find(&mut tx, &id).await.unwrap().unwrap().details, changed);
    assert!(messages::email_templates::find(&mut tx, &nobody).await.unwrap().is_none());
    assert!(messages::email_templates::delete(&mut tx, &id).await.unwrap());
    assert!(!messages::email_templates::delete(&mut tx, &id).await.unwrap());
    assert_eq!(
        messages::email_templates::delete_all(&mut tx, filter(Some("en"), Some(TemplateType::SignIn))).await.unwrap(),
        1
    );
    assert_eq!(messages::email_templates::delete_all(&mut tx, filter(Some("en"), None)).await.unwrap(), 1);
    assert_eq!(messages::email_templates::delete_all(&mut tx, filter(Some("en"), None)).await.unwrap(), 0);
});
