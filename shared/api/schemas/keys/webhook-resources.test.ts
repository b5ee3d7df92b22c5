import { expect, test } from 'vitest'
import { WebhookList, WebhookSecret } from './webhook-resources.ts'

const hook = { id: 'wh_1', url: 'https://bots.example.net/svc', events: ['*'], status: 'active', createdAtMs: Date.UTC(2026, 10, 1), unknownFields: null }

test.each([
  [
    'records',
    {
      result: [
        {
          webhook_id: 'wh_1',
          Destination: hook.url,
          SubscribedTo: ['*'],
          Lifecycle: 'Enabled',
          CreationTimeMicros: 1_793_491_200_000_000,
          DeactivatedAtMicros: -1,
        },
      ],
    },
  ],
  [
    'rows',
    {
      data: {
        hooks: {
          columns: ['webhook_id', 'user', 'where', 'what', 'phase', 'born_at_iso', 'switched_off'],
          rows: [['wh_1', '0x1', hook.url, ['*'], 'LIVE', '2026-11-01T00:00:00Z', null]],
        },
      },
    },
  ],
  [
    'columns',
    {
      hooks: {
        webhook_id: ['wh_1'],
        user: ['0x1'],
        callback: [hook.url],
        event_types: [['*']],
        status: ['enabled'],
        create_time: [1_793_491_200_000],
        disabled_at: [0],
      },
      active: 1,
    },
  ],
  [
    'columns, one of them called as the list is',
    { data: { webhook_id: ['wh_1'], url: [hook.url], subscriptions: [['*']], status: ['ACTIVE'], created: [1_793_491_200] } },
  ],
  ['a map', { subscriptions: { wh_1: { endpoint: hook.url, events: '*', enabled: true, created: 1_793_491_200 } } }],
])('the app reads a list of webhooks in another form: %s [ERR-02]', (_name, answer) => {
  expect(WebhookList.parse(answer).webhooks).toEqual([hook])
})

test('the app reads a disabled webhook as disabled, and a webhook in an unfamiliar state as unknown', () => {
  const status = (fields: Record<string, unknown>) => WebhookList.parse([{ webhook_id: 'a', ...fields }]).webhooks[0]?.status
  expect(status({ deactivatedAt: '2026-11-01T00:00:00Z' })).toBe('disabled')
  expect(status({ current_state: 'SUBSCRIPTION_PAUSED' })).toBe('unknown')
  expect(status({ phase: 'DISABLED' })).toBe('disabled')
})

test('the app reads a webhook object beside plain lists as one webhook, and does not read those lists as table columns [ERR-02]', () => {
  expect(WebhookList.parse({ webhooks: [{ webhook_id: 'a' }], notes: ['x'], links: ['y'] }).webhooks).toHaveLength(1)
})

test('the app finds a webhook’s signing secret beside the webhook record, inside this record and in any wrapper [HOOK-03]', () => {
  const record = { webhook_id: 'wh_1', url: hook.url }
  for (const answer of [
    { signing_secret: 'svc_whsec_abcdefghij0123', endpoint: record },
    { data: { subscription: record, signing_secret: 'svc_whsec_abcdefghij0123' } },
    { ok: true, response: { data: { ...record, signing_secret: 'svc_whsec_abcdefghij0123' } } },
    { SigningSecret: 'svc_whsec_abcdefghij0123', hook: record },
  ])
    expect([answer, WebhookSecret.parse(answer)]).toMatchObject([answer, { signingSecret: 'svc_whsec_abcdefghij0123', webhook: { id: 'wh_1' } }])
  expect(WebhookSecret.read({ webhook: record, signing_secret: 'whsec_1' }).ok).toBe(false)
})
