-- SQLite has one writer at a time: what a transaction reads is what it is committed by.
SELECT 1;
