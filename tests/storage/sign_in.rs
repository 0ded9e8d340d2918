//! The settings of sign-in, and texts in the operator's own words.

use crate::Store;
use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::documents::sign_in_experience::application::ApplicationSignInExperience;
use claimsmith_domain::documents::sign_in_experience::methods::SignInMode;
use claimsmith_storage::sign_in::captcha::CaptchaProvider;
use claimsmith_storage::sign_in::phrases::CustomPhrases;
use claimsmith_storage::{Json, applications, doctor, sign_in};
use claimsmith_test_support::both;
use claimsmith_test_support::seed::new_application;
use serde_json::json;
use serde_json::value::RawValue;

both!(settings_are_by_default_until_they_are_written, async |store: Store| {
    let mut tx = store.begin().await;
    let initial = SignInExperience::default();
    assert_eq!(sign_in::settings::EXPERIENCE.find(&mut tx).await.unwrap(), initial);
    assert_eq!(sign_in::settings::EXPERIENCE.lock(&mut tx).await.unwrap(), initial);
    for sign_in_mode in [SignInMode::SignIn, SignInMode::Register] {
        let settings = SignInExperience { sign_in_mode, ..initial.clone() };
        sign_in::settings::EXPERIENCE.put(&mut tx, &settings).await.unwrap();
        assert_eq!(sign_in::settings::EXPERIENCE.find(&mut tx).await.unwrap(), settings);
        assert_eq!(sign_in::settings::EXPERIENCE.lock(&mut tx).await.unwrap(), settings);
    }
    // Without its row, too.
    tx.sql("DELETE FROM sign_in_experiences").execute().await.unwrap();
    assert_eq!(sign_in::settings::EXPERIENCE.lock(&mut tx).await.unwrap(), initial);
    sign_in::settings::EXPERIENCE.put(&mut tx, &initial).await.unwrap();
    assert_eq!(sign_in::settings::EXPERIENCE.find(&mut tx).await.unwrap(), initial);
});

both!(damaged_settings_let_nobody_register_and_are_found, async |store: Store| {
    let mut tx = store.begin().await;
    let shape = RawValue::from_string(r#"{"signInMode":7}"#.to_owned()).unwrap();
    let spoil = "UPDATE sign_in_experiences SET settings = $1";
    tx.sql(spoil).bind(sqlx::types::Json(&*shape)).execute().await.unwrap();
    let closed = SignInExperience { sign_in_mode: SignInMode::SignIn, ..SignInExperience::default() };
    assert_eq!(sign_in::settings::EXPERIENCE.find(&mut tx).await.unwrap(), closed);
    let found = doctor::examine(&mut tx).await.unwrap();
    assert_eq!((found.len(), found[0].table, found[0].id.as_str()), (1, "sign_in_experiences", "default"));
    doctor::repair(&mut tx, &found[0]).await.unwrap().unwrap();
    assert_eq!(doctor::examine(&mut tx).await.unwrap(), []);
});

both!(an_applications_look_goes_with_it, async |store: Store| {
    let mut tx = store.begin().await;
    let application = new_application(ApplicationType::Spa);
    applications::insert(&mut tx, &application).await.unwrap();
    assert_eq!(sign_in::applications::find(&mut tx, &application.id).await.unwrap(), None);
    let mut settings = ApplicationSignInExperience::default();
    for color in [None, Some("#aabbcc".to_owned())] {
        settings.color.primary_color = color;
        sign_in::applications::put(&mut tx, &application.id, &settings).await.unwrap();
        assert_eq!(sign_in::applications::find(&mut tx, &application.id).await.unwrap(), Some(settings.clone()));
    }
    assert!(applications::delete(&mut tx, &application.id).await.unwrap());
    assert_eq!(sign_in::applications::find(&mut tx, &application.id).await.unwrap(), None);
});

both!(texts_are_kept_by_language, async |store: Store| {
    let mut tx = store.begin().await;
    let phrases = |tag: &str, title: &str| CustomPhrases {
        language_tag: tag.to_owned(),
        translation: Json(json!({ "sign_in": { "title": title } })),
    };
    for (tag, title) in [("nl", "Inloggen"), ("de", "Moin"), ("nl", "Aanmelden")] {
        sign_in::phrases::put(&mut tx, &phrases(tag, title)).await.unwrap();
    }
    let all = sign_in::phrases::list(&mut tx).await.unwrap();
    let titles: Vec<_> =
        all.iter().map(|one| (one.language_tag.as_str(), &one.translation["sign_in"]["title"])).collect();
    assert_eq!(titles, [("de", &json!("Moin")), ("nl", &json!("Aanmelden"))]);
    assert_eq!(sign_in::phrases::languages(&mut tx).await.unwrap(), ["de", "nl"]);
    let found = sign_in::phrases::find(&mut tx, "nl").await.unwrap().unwrap();
    assert_eq!(found.translation.0, phrases("nl", "Aanmelden").translation.0);
    assert!(sign_in::phrases::delete(&mut tx, "nl").await.unwrap());
    assert!(!sign_in::phrases::delete(&mut tx, "nl").await.unwrap());
    assert!(sign_in::phrases::find(&mut tx, "nl").await.unwrap().is_none());
});

both!(there_is_one_captcha_provider_at_most, async |store: Store| {
    let mut tx = store.begin().await;
    assert_eq!(sign_in::captcha::find(&mut tx).await.unwrap(), None);
    assert!(!sign_in::captcha::delete(&mut tx).await.unwrap());
    for (config, now) in [("sealed", 1000), ("sealed anew", 2000)] {
        let put = sign_in::captcha::put(&mut tx, config, now).await.unwrap();
        let expected = CaptchaProvider { config: config.to_owned(), created_at: 1000, updated_at: now };
        assert_eq!(put, expected);
        assert_eq!(sign_in::captcha::find(&mut tx).await.unwrap(), Some(expected));
    }
    assert!(sign_in::captcha::delete(&mut tx).await.unwrap());
    assert_eq!(sign_in::captcha::find(&mut tx).await.unwrap(), None);
});
