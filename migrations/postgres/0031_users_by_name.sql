-- Many users share a name: the page of those whom a search finds is taken from the index alone, since it has their place.
DROP INDEX users_by_name_key;
CREATE INDEX users_by_name_key ON users (name_key text_pattern_ops, place);
