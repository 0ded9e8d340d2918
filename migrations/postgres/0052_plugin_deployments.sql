-- What whoever uploaded a version calls it, such as the commit that it is of, and what they say of it; NULL if nothing.
ALTER TABLE plugin_versions ADD COLUMN label TEXT;
ALTER TABLE plugin_versions ADD COLUMN note TEXT;
-- The key of the folder that was applied and had this plugin; NULL if it was never uploaded by `plugin apply`.
ALTER TABLE plugins ADD COLUMN applied_by TEXT;

-- Which revision of which uploaded plugin each node serves.
CREATE TABLE plugin_nodes (
    plugin_name TEXT NOT NULL,
    node_id     TEXT NOT NULL,
    -- That of the row in `plugins` which the node has loaded.
    revision    BIGINT NOT NULL,
    -- When the node wrote it, Unix milliseconds.
    written_at  BIGINT NOT NULL,
    PRIMARY KEY (plugin_name, node_id)
);
CREATE INDEX plugin_nodes_by_node ON plugin_nodes (node_id);
