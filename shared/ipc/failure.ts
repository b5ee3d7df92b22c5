import { z } from 'zod'
import { fileIssueCodes } from '../field-map/field-map-entries.ts'
import { assumedRequestNames } from '../field-map/sent-names.ts'
import { SentFormIssue } from './form-issue.ts'
import { IntentReason } from './intents/reasons.ts'
import { ChallengeProblem } from './intents/signing.ts'

/** Details of a failed HTTP request that the renderer may see. `requestId`: the service's id, or otherwise the id that the app sent. */
const exchange = { requestId: z.string().nullable(), route: z.string().nullable() }

/** A problem in one line of a field map: `shared/field-map/issue-codes` explains each code. */
export const MapIssue = z.object({
  code: z.enum(fileIssueCodes),
  line: z.number().nullable(),
  path: z.array(z.string()).readonly(),
  given: z.string().nullable(),
})

/** The field name that a refusal asks for, and the sent fields that this name may mean. See `NameOffer` in shared/field-map. */
export const NameOffer = z.object({
  asks: z.string().nullable(),
  candidates: z.array(z.object({ request: z.enum(assumedRequestNames), field: z.string(), sent: z.string() })).readonly(),
  respelling: z.boolean(),
})

/** Codes for refused inputs that need no further detail. `shared/text/input-issue-text.ts` has the sentences. */
const PlainInputIssue = z.enum([
  'above_zero',
  'not_a_number',
  'not_json',
  'not_a_tx_hash',
  'market_needed',
  'named_twice',
  'not_an_id',
  'not_a_url',
  'rpc_https',
  'other_host_checked',
  'practice_host_only',
  'other_profile_name',
  'passphrase_needed',
  'not_an_address',
  'not_a_reading_method',
  'address_form',
  'address_checksum',
  'name_taken',
  'drifted_again',
  'key_needed',
  'webhook_needed',
  'every_stands_alone',
  'not_found_there',
  'no_candidate',
  'other_intent',
  'scopes_unknown',
  'addresses_unknown',
  'foreign_scope',
  'foreign_limit',
  // Codes about the executor of a key
  'executor_needed',
  'space_or_hidden',
  'half_an_address',
  // Codes about webhooks
  'no_delivery',
  'path_form',
  'forward_needed',
  'own_url',
  'other_host',
  // Codes about handing over a secret to another program
  'needed',
  'too_long_to_show',
  'program_first',
  'whole_path',
  'remote_path',
  'hidden_characters',
  'looks_secret',
  'credential_name',
  'docker_name',
  'docker_context',
  'kubernetes_name',
  'kubernetes_namespace',
  'kubernetes_entry',
  'kubernetes_context',
  'github_name',
  'repository',
  'github_environment',
  'ssh_host',
  'target_name',
])
export type PlainInputIssue = z.infer<typeof PlainInputIssue>

/**
 * Codes for refused inputs. A space and a detail follow the code. The detail of `form` is a sentence that an earlier version of the app stored. The
 * detail of `schema` is the error message of a call's schema.
 */
const InputIssueFact = z.enum([
  'name_length',
  'watched_full',
  'presets_full',
  'type_word',
  'too_long',
  'most_decimals',
  'type_host',
  'in_a_circle',
  'port_refused',
  'no_address',
  'inner_address',
  'form',
  'schema',
])
export type InputIssueFact = z.infer<typeof InputIssueFact>

/** Why an input was refused: `code`, `code detail`, or a validation message of a form in shared/ticket or shared/webhooks. */
export const InputIssue = z.union([PlainInputIssue, z.templateLiteral([InputIssueFact, ' ', z.string()]), SentFormIssue])
export type InputIssue = z.infer<typeof InputIssue>

/** The kind of thing that a call did not find. The renderer has a sentence for each code; the terminal shows the code itself. */
export const NotFoundThing = z.enum([
  'audit',
  'bot',
  'bulk action',
  'call',
  'challenge',
  'change',
  'check',
  'delivery',
  'draft',
  'field',
  'file',
  'fleet plan',
  'folder',
  'grant',
  'import',
  'intent',
  'key',
  'kill switch',
  'market',
  'open order',
  'open position',
  'operation',
  'order',
  'order_book',
  'payment',
  'preparation',
  'preset',
  'profile',
  'replacement',
  'report',
  'request',
  'revoke all',
  'secret',
  'step',
  'table',
  'throwaway secret',
  'transaction',
  'watched wallet',
  'webhook',
])
export type NotFoundThing = z.infer<typeof NotFoundThing>

/**
 * Practice cannot run on this computer, however often the user tries. `system`: platform and architecture, for example `darwin-arm64`. `npmPackage`:
 * the package with the local chain's program; null if there is none for this system. no_glibc: the Linux system has another C library.
 */
export const PracticeUnavailable = z.object({
  kind: z.literal('practice_unavailable'),
  why: z.enum(['unsupported_platform', 'anvil_missing', 'no_glibc']),
  system: z.string(),
  npmPackage: z.string().nullable(),
})
export type PracticeUnavailable = z.infer<typeof PracticeUnavailable>

/**
 * Every failure that a call may return. Code that handles failures must cover every `kind`. The texts for users are in
 * `renderer/text/failure-text.ts`.
 */
export const Failure = z.discriminatedUnion('kind', [
  /** A bug in the app. The main process logged the details under `reference`. */
  z.object({ kind: z.literal('internal'), reference: z.string() }),
  z.object({ kind: z.literal('bad_input'), field: z.string().nullable(), issue: InputIssue }),
  z.object({ kind: z.literal('not_found'), what: NotFoundThing }),
  /** Some entries of a field map are invalid. No part of the map was applied. */
  z.object({ kind: z.literal('field_map'), issues: z.array(MapIssue) }),

  // Failures about profiles and practice mode
  z.object({ kind: z.literal('no_profile') }),
  z.object({
    kind: z.literal('host_refused'),
    issue: z.enum([
      'not_a_url',
      'needs_https',
      'has_credentials',
      'has_path',
      'unreachable',
      'tls',
      'answers_html',
      'redirects',
      'not_the_service',
      'duplicate',
    ]),
    detail: z.string().nullable(),
  }),
  PracticeUnavailable,
  z.object({ kind: z.literal('practice_failed'), part: z.enum(['chain', 'exchange', 'relay', 'wallet', 'process']), detail: z.string() }),

  // Failures about credentials
  z.object({ kind: z.literal('sign_in_required') }),
  z.object({ kind: z.literal('api_key_required'), scope: z.string().nullable() }),
  z.object({ kind: z.literal('scope_missing'), scope: z.string(), keyLabel: z.string().nullable() }),
  /**
   * The service refused the request because of its IP address. `allowlist`: the key's allowed IP addresses from the last key list; empty if the app
   * has never read the list. `seenAs`: the IP address that the service named in its answer.
   */
  z.object({
    kind: z.literal('ip_not_allowed'),
    keyLabel: z.string().nullable(),
    allowlist: z.array(z.string()),
    seenAs: z.string().nullable(),
    ...exchange,
  }),
  /** The key has no bound executor, so it cannot place orders without the wallet (Flow rules 6). `keyId`: the key, if known. */
  z.object({ kind: z.literal('executor_required'), keyLabel: z.string().nullable(), keyId: z.string().nullable(), ...exchange }),
  /** The code that called the transport chose the wrong kind of credential, so the request was not sent (GEN-07). This is a bug. */
  z.object({ kind: z.literal('wrong_credential'), route: z.string() }),

  // Failures at the service
  z.object({
    kind: z.literal('refused'),
    status: z.number(),
    code: z.string().nullable(),
    message: z.string().nullable(),
    raw: z.string().nullable(),
    /** Set if the service asks for another field name than the app sent. */
    offer: NameOffer.optional(),
    ...exchange,
  }),
  /** The service bound another executor to the key than the app requested. */
  z.object({ kind: z.literal('executor_differs'), bound: z.string(), sent: z.string() }),
  z.object({ kind: z.literal('rate_limited'), retryAfterMs: z.number().nullable(), ...exchange }),
  z.object({ kind: z.literal('body_too_large'), bytes: z.number(), limit: z.number() }),
  z.object({
    kind: z.literal('unreachable'),
    reason: z.enum(['connect', 'tls', 'timeout', 'reset', 'redirect', 'html', 'malformed', 'too_large', 'server_error', 'closing']),
    status: z.number().nullable(),
    ...exchange,
  }),
  /** The app sent a change and the response was lost: the change may or may not have happened. */
  z.object({ kind: z.literal('outcome_unknown'), intentRef: z.string().nullable(), ...exchange }),
  /**
   * The service reported success for a change, but the app cannot read the answer. The change may have happened, so the app checks. `missing`: the
   * fields that the answer lacks; empty if no part of the answer was readable. `raw`: the answer's text without secrets; null if it may contain a
   * secret.
   */
  z.object({
    kind: z.literal('unreadable'),
    status: z.number(),
    missing: z.array(z.string()),
    raw: z.string().nullable(),
    intentRef: z.string().nullable(),
    ...exchange,
  }),
  z.object({ kind: z.literal('price_deviation'), ...exchange }),
  z.object({ kind: z.literal('market_data_stale'), ...exchange }),
  z.object({
    kind: z.literal('idempotency_conflict'),
    code: z.enum(['IDEMPOTENCY_KEY_CONFLICT', 'DUPLICATE_CLIENT_ORDER_ID']),
    intentRef: z.string().nullable(),
    ...exchange,
  }),

  // Failures on this computer
  /** The call was refused because the app is locked. */
  z.object({ kind: z.literal('locked') }),
  /** The call was refused because it did not come from a click or key press of the user. */
  z.object({ kind: z.literal('gesture_required') }),
  z.object({ kind: z.literal('keychain'), code: z.enum(['unavailable', 'locked', 'timeout', 'invalid', 'failed']), detail: z.string().nullable() }),
  z.object({ kind: z.literal('journal'), issue: z.enum(['disk_full', 'corrupt', 'taken', 'newer', 'read_only']) }),
  /** The app could not read or write a file that the user chose. Nothing in the file changed. */
  z.object({
    kind: z.literal('file'),
    issue: z.enum(['missing', 'not_allowed', 'disk_full', 'not_a_file', 'not_text', 'too_large', 'changed', 'failed']),
    path: z.string(),
    detail: z.string().nullable(),
  }),
  /** The app could not read a file or text, because its separate parser process was too slow, used too much memory, crashed, or was stopped. */
  z.object({ kind: z.literal('parsing'), issue: z.enum(['too_slow', 'too_much_memory', 'broken', 'stopped']) }),
  /**
   * The app refuses actions that add risk until the user agrees to continue: for example after the app replaced a corrupt journal, or after the
   * service changed what it publishes about itself (GEN-09).
   */
  /**
   * `unknown_intent_old`: the outcome of an order is unknown, and the service can no longer execute the order. The user can allow new orders again
   * with `intents.resolve`. `state_away`: the gateway cannot reach the database that it shares with other gateways.
   */
  z.object({
    kind: z.literal('held_back'),
    why: z.enum(['journal_rebuilt', 'rails_lost', 'unknown_intent', 'unknown_intent_old', 'drift', 'state_away']),
    intentRef: z.string().nullable(),
  }),
  /**
   * One of the user's own risk limits (Settings) blocked the call, and nothing was sent. `limit` and `asked` are USDC amounts, a leverage, or market
   * names. `asked` null: the amount is unknown. For the daily loss limit, `asked` is the loss so far.
   */
  z.object({
    kind: z.literal('guard_rail'),
    rail: z.enum(['order_value', 'leverage', 'daily_loss', 'market']),
    limit: z.string(),
    asked: z.string().nullable(),
  }),

  // Failures about the wallet and signing
  z.object({ kind: z.literal('no_wallet') }),
  z.object({ kind: z.literal('wrong_chain'), chainId: z.number(), expected: z.number() }),
  /** The profile's RPC serves another chain. The app trusts none of its answers and signs no order that opens a position. */
  z.object({ kind: z.literal('rpc_wrong_chain'), chainId: z.number(), expected: z.number() }),
  z.object({ kind: z.literal('wrong_wallet'), wallet: z.string(), expected: z.string() }),
  /** The message to sign contains something that the user did not request; `why` explains it. The app sent nothing to the wallet. */
  z.object({ kind: z.literal('signing_refused'), why: IntentReason }),
  /** A value in the sign-in message is wrong. The app sent nothing to the wallet. */
  z.object({ kind: z.literal('challenge_refused'), problem: ChallengeProblem }),
  z.object({ kind: z.literal('confirmation_required'), what: z.enum(['layout', 'router', 'challenge_layout', 'transaction']), expected: z.string() }),
  z.object({ kind: z.literal('signature_invalid'), expected: z.string(), recovered: z.string().nullable() }),
  z.object({ kind: z.literal('expired'), what: z.enum(['challenge', 'grant', 'intent', 'signature', 'request']), atMs: z.number() }),
  z.object({ kind: z.literal('not_executable'), status: z.string(), reason: z.string().nullable(), intentRef: z.string() }),
  /** The user tried too early to declare what happened to an order of unknown outcome. The user can declare it from `fromMs` on. */
  z.object({ kind: z.literal('too_early'), fromMs: z.number() }),
  /** The user declared the order as not executed, but the account shows its trade or the order itself. */
  z.object({ kind: z.literal('contradicted'), by: z.enum(['trade', 'order']) }),
  z.object({ kind: z.literal('wrong_state'), state: z.string(), wanted: z.string() }),
])
export type Failure = z.infer<typeof Failure>
export const FailureKind = z.enum(Failure.options.map(({ shape }) => shape.kind.value))
export type FailureKind = z.infer<typeof FailureKind>
