import { type Told, view } from './view.ts'

const nothing = () => ({})
const mostRows = 200
/** A key’s label without the mark (such as ` #0a1b2c`) that the app appends to labels of keys that it creates. */
const label: Told = {
  derived: 'label',
  from: ['label'],
  value: (row) => (typeof row.label === 'string' ? row.label.replace(/ #[0-9a-f]{6}$/, '') : null),
  instead: (row) => (typeof row.key_id === 'string' ? row.key_id : null),
}

/** True if the service reports an empty time of last use; otherwise no value. */
const neverUsed: Told = { derived: 'neverUsed', from: ['last_used_at'], value: (row) => (row.last_used_at === null ? true : null) }

/** Views of keys, webhooks and their audit log. */
export const developerViews = [
  view({
    query: 'keys.list',
    input: nothing,
    route: 'GET /developer/keys',
    parts: [
      {
        shown: 'keys',
        told: 'keys',
        by: ['id', 'key_id'],
        fields: {
          id: 'key_id',
          label,
          scopes: 'scopes',
          status: 'status',
          createdAtMs: 'created_at',
          expiresAtMs: 'expires_at',
          lastUsedAtMs: 'last_used_at',
          neverUsed,
          allowlist: 'ip_allowlist',
          'agent.address': 'agent.address',
          'agent.granted': 'agent.granted',
          executor: 'executor',
        },
      },
      { shown: '', told: '', fields: { active: 'active', limit: 'limit' } },
    ],
    // The app reads the following fields from this computer’s data about a key, and from limits shown under the service’s own names (KEY-04).
    own: [
      'unread',
      'missing.unreadable',
      'missing.more',
      'keys.markedLabel',
      'keys.scopesFrom',
      'keys.secret',
      'keys.masked',
      'keys.inUse',
      'keys.note.owner',
      'keys.note.environment',
      'keys.note.group',
      'keys.note.text',
      'keys.quotas.name',
      'keys.quotas.value',
    ],
    unshown: ['keys.wallet', 'keys.last_used_ip', 'keys.revoked_at', 'keys.quotas', 'keys.prefix'],
  }),
  view({
    query: 'webhooks.list',
    input: nothing,
    route: 'GET /developer/webhooks',
    parts: [
      {
        shown: 'webhooks',
        told: 'webhooks',
        by: ['url', 'url'],
        fields: { id: 'webhook_id', url: 'url', events: 'events', status: 'status', createdAtMs: 'created_at' },
      },
      { shown: '', told: '', fields: { active: 'active', limit: 'limit' } },
    ],
    own: ['webhooks.secret', 'missing.unreadable', 'missing.more'],
    unshown: ['webhooks.wallet', 'webhooks.disabled_at'],
  }),
  view({
    query: 'audit.list',
    input: () => ({ keyId: null, source: 'service', kinds: [], ownCalls: true, text: '', offset: 0, limit: mostRows }) as const,
    route: 'GET /developer/audit',
    pages: 'entries',
    parts: [
      {
        shown: 'rows',
        told: 'entries',
        most: mostRows,
        by: ['requestId', 'request_id'],
        fields: { atMs: 'at', event: 'event', keyId: 'key_id', label, ip: 'ip', requestId: 'request_id' },
      },
    ],
    // The app derives the following fields from an event’s name, method, route and status, and from its journal.
    own: ['rows.id', 'rows.source', 'rows.kind', 'rows.title', 'rows.outcome', 'rows.detail', 'rows.origin', 'rows.matches', 'offset', 'total'],
    unshown: ['entries.id', 'entries.webhook_id', 'entries.method', 'entries.route', 'entries.status', 'next_cursor', 'has_more', 'limit'],
  }),
]
