//! Which of the running nodes serve the latest change of an uploaded plugin.

use claimsmith_api::plugins::ServingNodes;
use claimsmith_identity::heartbeat::ALIVE_MS;
use claimsmith_storage::plugins::Plugin;
use claimsmith_storage::plugins::nodes::ServedBy;
use claimsmith_storage::{Tx, nodes, plugins};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;
use std::collections::BTreeSet;

/// Which nodes serve it, among those that reported lately and this one.
pub(super) async fn serving(tx: &mut Tx, management: &Caller, plugin: &Plugin) -> Result<ServingNodes, ApiError> {
    let now = management.now();
    let alive = nodes::list(tx).await?.into_iter().filter(|node| now - node.seen_at < ALIVE_MS).map(|node| node.id);
    let all: BTreeSet<String> = alive.chain([management.app.node.id.clone()]).collect();
    Ok(counted(&all, &plugins::nodes::of_plugin(tx, &plugin.name).await?, plugin.revision))
}

fn counted(all: &BTreeSet<String>, served: &[ServedBy], revision: i64) -> ServingNodes {
    let is_done = |id: &&String| served.iter().any(|one| one.node_id == **id && one.revision >= revision);
    let missing: Vec<String> = all.iter().filter(|id| !is_done(id)).cloned().collect();
    ServingNodes { serving: all.len() - missing.len(), all: all.len(), missing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_serves_a_change_once_it_has_written_its_revision() {
        let all = ["a", "b", "c"].map(str::to_owned).into();
        let served = |node: &str, revision| ServedBy { node_id: node.to_owned(), revision };
        let found = counted(&all, &[served("a", 3), served("b", 2), served("stopped", 3)], 3);
        assert_eq!(found, ServingNodes { serving: 1, all: 3, missing: vec!["b".to_owned(), "c".to_owned()] });
        assert_eq!(counted(&all, &[served("a", 4), served("b", 3), served("c", 3)], 3).missing, Vec::<String>::new());
    }
}
