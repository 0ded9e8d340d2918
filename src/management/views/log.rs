//! How entries of the audit log are shown.

use super::IntoView;
use claimsmith_api::logs::LogView;
use claimsmith_storage::audit::StoredAuditEntry;

impl IntoView<LogView> for StoredAuditEntry {
    fn into_view(self) -> LogView {
        LogView::new(self.id, self.key, self.payload.0, self.created_at)
    }
}
