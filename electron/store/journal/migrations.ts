/**
 * SQL that fills the table `promises`, which lists the rows that the journal must contain. The SQL reads the rows of all other tables. It runs for a
 * journal that has no promises yet, or whose promises do not match its rows.
 */
export const promisesOfRows = `
  INSERT INTO promises (kind, ref, fact)
    SELECT 'intent', s.ref, CASE s.state WHEN 'PLANNED' THEN 'PLANNED ' || i.idempotency_key ELSE s.state END
    FROM intent_steps s JOIN intents i ON i.ref = s.ref ORDER BY s.seq;
  INSERT INTO promises (kind, ref, fact) SELECT 'intent', ref, state FROM intents ORDER BY rowid;
  INSERT INTO promises (kind, ref, fact) SELECT 'operation', id, state FROM secret_operations ORDER BY rowid;
  INSERT INTO promises (kind, ref, fact)
    SELECT 'transaction', ref || ' ' || position, state FROM intent_transactions WHERE state <> 'waiting' ORDER BY rowid;
  INSERT INTO promises (kind, ref, fact)
    SELECT 'transaction', ref || ' ' || position, 'nonce ' || nonce FROM intent_transactions WHERE nonce IS NOT NULL ORDER BY rowid;
  INSERT INTO promises (kind, ref, fact) SELECT 'value', name, 'used ' || value FROM "values" WHERE name LIKE 'nonce/%' ORDER BY name;
`

const codeOf = (column: string, path: string): string => `CASE WHEN json_valid(${column}) THEN ${column} ->> '${path}' END`

/**
 * The migrations in order: `PRAGMA user_version` counts how many have run. Never edit a released migration; add another one.
 * Times are Unix ms. Booleans are 0 and 1. JSON is stored in text columns.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE intents (
    ref TEXT PRIMARY KEY,
    profile_id TEXT NOT NULL,
    wallet TEXT NOT NULL,
    action TEXT NOT NULL,
    title TEXT NOT NULL,
    pair_id INTEGER,
    symbol TEXT,
    side TEXT,
    idempotency_key TEXT NOT NULL,
    client_order_id TEXT,
    body TEXT NOT NULL,
    ticket TEXT NOT NULL,
    state TEXT NOT NULL,
    intent_id TEXT,
    reason TEXT,
    tx_hash TEXT,
    confirmations INTEGER,
    finality TEXT,
    deadline_ms INTEGER,
    typed_data TEXT,
    prepared TEXT,
    topic TEXT,
    wallet_request_id TEXT,
    block_number INTEGER,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX intents_idempotency ON intents (profile_id, wallet, action, idempotency_key);
  CREATE INDEX intents_recent ON intents (profile_id, created_at_ms DESC);
  CREATE INDEX intents_by_id ON intents (profile_id, intent_id) WHERE intent_id IS NOT NULL;
  CREATE INDEX intents_open ON intents (profile_id) WHERE state NOT IN ('FINAL', 'REFUSED', 'EXPIRED', 'REVERTED', 'CANCELLED');

  CREATE TABLE intent_steps (
    seq INTEGER PRIMARY KEY,
    ref TEXT NOT NULL,
    state TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    note TEXT
  ) STRICT;
  CREATE INDEX intent_steps_ref ON intent_steps (ref, seq);

  CREATE TABLE secret_operations (
    id TEXT PRIMARY KEY,
    profile_id TEXT NOT NULL,
    wallet TEXT NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    key_id TEXT,
    key_ids_before TEXT NOT NULL,
    marker TEXT NOT NULL,
    draft TEXT,
    state TEXT NOT NULL,
    note TEXT,
    at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX secret_operations_recent ON secret_operations (profile_id, at_ms DESC);

  CREATE TABLE secret_index (
    profile_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    wallet TEXT NOT NULL,
    account TEXT NOT NULL,
    label TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (profile_id, key_id)
  ) STRICT;

  CREATE TABLE requests (
    seq INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    status INTEGER,
    ms INTEGER NOT NULL,
    request_id TEXT,
    outcome TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    intent_ref TEXT
  ) STRICT;
  CREATE INDEX requests_recent ON requests (profile_id, seq DESC);
  CREATE INDEX requests_intent ON requests (intent_ref, seq) WHERE intent_ref IS NOT NULL;

  CREATE TABLE "values" (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE vault (
    name TEXT PRIMARY KEY,
    sealed BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  // Adds the wallet whose credential a request used, because the windows show only the requests of one wallet (AUTH-03).
  'ALTER TABLE requests ADD COLUMN wallet TEXT;',
  // Adds a table for the service's audit log and the app's own events.
  `
  CREATE TABLE audit_rows (
    profile_id TEXT NOT NULL,
    wallet TEXT NOT NULL,
    id TEXT NOT NULL,
    source TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    timed INTEGER NOT NULL,
    kind TEXT NOT NULL,
    event TEXT NOT NULL,
    title TEXT NOT NULL,
    key_id TEXT,
    label TEXT,
    ip TEXT,
    request_id TEXT,
    outcome TEXT,
    detail TEXT,
    origin TEXT,
    search TEXT NOT NULL,
    PRIMARY KEY (profile_id, wallet, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_rows_recent ON audit_rows (profile_id, wallet, at_ms DESC, id DESC);
  CREATE INDEX audit_rows_request ON audit_rows (profile_id, wallet, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX requests_by_id ON requests (profile_id, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX requests_by_endpoint ON requests (profile_id, endpoint, at_ms);
  `,
  // Adds the content of each request and its answer, without secrets, and which attempts belong to the same call.
  `
  ALTER TABLE requests ADD COLUMN call_id TEXT;
  CREATE INDEX requests_by_own_id ON requests (profile_id, id);
  CREATE INDEX requests_by_call ON requests (profile_id, call_id);
  CREATE TABLE exchanges (
    seq INTEGER PRIMARY KEY,
    profile_id TEXT NOT NULL,
    id TEXT NOT NULL,
    exchange TEXT NOT NULL
  ) STRICT;
  CREATE INDEX exchanges_by_id ON exchanges (profile_id, id);
  `,
  // Adds an intent's execution method and the id of its command at the executor. Earlier intents with typed data were all signed by the wallet.
  `
  ALTER TABLE intents ADD COLUMN way TEXT;
  ALTER TABLE intents ADD COLUMN command_id TEXT;
  UPDATE intents SET way = 'signed_intent' WHERE typed_data IS NOT NULL;
  `,
  // Adds the transactions that the wallet itself sends for an intent, in order.
  `
  CREATE TABLE intent_transactions (
    ref TEXT NOT NULL,
    position INTEGER NOT NULL,
    kind TEXT,
    from_address TEXT NOT NULL,
    to_address TEXT NOT NULL,
    data TEXT NOT NULL,
    value TEXT NOT NULL,
    deadline_ms INTEGER,
    state TEXT NOT NULL,
    tx_hash TEXT,
    confirmations INTEGER,
    reason TEXT,
    topic TEXT,
    wallet_request_id TEXT,
    block_number INTEGER,
    nonce INTEGER,
    asked_at_ms INTEGER,
    receipt TEXT,
    updated_at_ms INTEGER NOT NULL,
    PRIMARY KEY (ref, position)
  ) STRICT;
  CREATE INDEX intent_transactions_open ON intent_transactions (ref) WHERE state IN ('asked', 'submitted', 'confirming', 'unknown') OR receipt = 'due';
  `,
  // Adds the index of the webhook signing secrets that are stored here. `key_id` is the webhook's ID.
  `
  CREATE TABLE webhook_secret_index (
    profile_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    wallet TEXT NOT NULL,
    account TEXT NOT NULL,
    label TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (profile_id, key_id)
  ) STRICT;
  `,
  // Adds the host of a request, and whether it was the second host. The host of earlier requests stays unknown.
  `
  ALTER TABLE requests ADD COLUMN host TEXT;
  ALTER TABLE requests ADD COLUMN by_second INTEGER NOT NULL DEFAULT 0;
  `,
  // Adds whether the list of key IDs that the app stores before a call is complete. For earlier calls, it is always complete, because the app then
  // sent a call only after it had read the whole list.
  `
  ALTER TABLE secret_operations ADD COLUMN key_ids_whole INTEGER NOT NULL DEFAULT 1;
  `,
  // Adds a table of the facts that must not get lost (promises), in order. The mark file stores how many there are.
  `
  CREATE TABLE promises (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    ref TEXT NOT NULL,
    fact TEXT NOT NULL
  ) STRICT;
  ${promisesOfRows}
  `,
  // Converts stored sentences to codes with facts as JSON: the reason why an intent ended or waits, and the notes in its timeline. `migrate` defines
  // the SQL functions for this.
  `
  UPDATE intents SET reason = written_reason(reason) WHERE reason IS NOT NULL;
  UPDATE intent_transactions SET reason = written_reason(reason) WHERE reason IS NOT NULL;
  UPDATE intent_steps SET note = written_note(note) WHERE note IS NOT NULL;
  `,
  // Adds the version of each record’s format, and a table that keeps unreadable records as they were written.
  `
  ALTER TABLE "values" ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE vault ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
  CREATE TABLE set_aside (
    seq INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    value TEXT,
    sealed BLOB,
    at_ms INTEGER NOT NULL,
    told INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX set_aside_name ON set_aside (name);
  `,
  // Converts the outcome of an operation with a secret from a sentence to a code.
  `
  UPDATE secret_operations SET note = written_operation_note(note) WHERE note IS NOT NULL;
  `,
  // Earlier versions used the marker `yes` for an audit log that the app had read completely. Now the marker is the field map with which the app read
  // the log. Before this version, that field map was always empty.
  `UPDATE "values" SET value = '{}' WHERE name LIKE 'audit/%/whole/%' AND value = 'yes';`,
  // Converts the title of an intent, and the reason why the app refused to sign it, to codes with facts. Earlier rows keep their sentences.
  `
  UPDATE intents SET title = json_object('code', 'as_written', 'text', title) WHERE ${codeOf('title', '$.code')} IS NULL;
  UPDATE intents SET reason = json_object('code', 'as_written', 'text', reason ->> '$.sentence') WHERE ${codeOf('reason', '$.code')} = 'blocked';
  UPDATE intent_transactions SET reason = json_object('code', 'as_written', 'text', reason ->> '$.sentence') WHERE ${codeOf('reason', '$.code')} = 'blocked';
  UPDATE intent_steps SET note = json_set(note, '$.reason', json_object('code', 'as_written', 'text', note ->> '$.reason.sentence'))
    WHERE ${codeOf('note', '$.reason.code')} = 'blocked';
  `,
]
