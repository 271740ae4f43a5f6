-- The tables of a Tidemark journal, format 1. What they mean: Journal/FORMAT.md.
-- A journal is opened only if its schema is this one to the letter.

CREATE TABLE identity(
  name TEXT NOT NULL PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE blocks(
  first_seq INTEGER PRIMARY KEY CHECK (first_seq > 0),
  entry_count INTEGER NOT NULL CHECK (entry_count > 0),
  codec INTEGER NOT NULL,
  dictionary INTEGER,
  raw_bytes INTEGER NOT NULL,
  subtrees BLOB NOT NULL,
  checksum INTEGER NOT NULL,
  frames BLOB NOT NULL
) STRICT;

CREATE TABLE bodies(
  id INTEGER PRIMARY KEY CHECK (id > 0),
  salt BLOB,
  fingerprint INTEGER,
  codec INTEGER NOT NULL,
  base INTEGER,
  raw_bytes INTEGER NOT NULL,
  content BLOB
) STRICT;

CREATE TABLE dictionaries(
  id INTEGER PRIMARY KEY CHECK (id > 0),
  content BLOB NOT NULL
) STRICT;

-- What is known of the entries up to one seq, so that opening need not read them all.
-- This and the runs are an index: it can be dropped, and is then made anew.
CREATE TABLE heads(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  through INTEGER NOT NULL,
  content BLOB NOT NULL
) STRICT;

CREATE TABLE runs(
  id INTEGER PRIMARY KEY CHECK (id > 0),
  family INTEGER NOT NULL,
  level INTEGER NOT NULL,
  item_count INTEGER NOT NULL,
  bucket_bits INTEGER NOT NULL,
  filter BLOB NOT NULL
) STRICT;

CREATE TABLE run_buckets(
  place INTEGER PRIMARY KEY,
  items BLOB NOT NULL
) STRICT;

-- Torn blocks, each as it lay in `blocks`.
CREATE TABLE set_aside(
  id INTEGER PRIMARY KEY,
  reason TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  entry_count INTEGER NOT NULL,
  codec INTEGER NOT NULL,
  dictionary INTEGER,
  raw_bytes INTEGER NOT NULL,
  subtrees BLOB NOT NULL,
  checksum INTEGER NOT NULL,
  frames BLOB NOT NULL
) STRICT;

-- One row while sealing, erasure or the cutting of a torn tail works, inside its transaction.
CREATE TABLE maintenance(
  purpose TEXT NOT NULL CHECK (purpose IN ('seal', 'erase', 'cut'))
) STRICT;

CREATE TRIGGER blocks_are_appended BEFORE INSERT ON blocks
WHEN NEW.first_seq <= (SELECT coalesce(max(first_seq), 0) FROM blocks)
  AND NOT EXISTS (SELECT 1 FROM maintenance)
BEGIN
  SELECT raise(ABORT, 'a journal is only appended to');
END;

CREATE TRIGGER blocks_stay_as_they_are BEFORE UPDATE ON blocks
WHEN NOT EXISTS (SELECT 1 FROM maintenance)
BEGIN
  SELECT raise(ABORT, 'an entry is never changed');
END;

CREATE TRIGGER blocks_stay BEFORE DELETE ON blocks
WHEN NOT EXISTS (SELECT 1 FROM maintenance)
BEGIN
  SELECT raise(ABORT, 'an entry is never deleted');
END;

CREATE TRIGGER bodies_stay_as_they_are BEFORE UPDATE ON bodies
WHEN NOT EXISTS (SELECT 1 FROM maintenance)
BEGIN
  SELECT raise(ABORT, 'a body is never changed');
END;

CREATE TRIGGER bodies_stay BEFORE DELETE ON bodies
WHEN NOT EXISTS (SELECT 1 FROM maintenance)
BEGIN
  SELECT raise(ABORT, 'a body is deleted by erasure only');
END;
