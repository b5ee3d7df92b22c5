import { expect, test } from 'vitest'
import { closePosition } from '../../../e2e/support/fixtures/position-intent.ts'
import { read, router } from '../../../e2e/support/fixtures/typed-data.ts'
import { redactBody } from '../../../shared/api/redact.ts'
import { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { keptPreparation } from './prepare.ts'

test('the app stores a preparation with every digit of an id that is too large for a floating-point number', () => {
  const raw = '{"intent_id":"dx_1","payload":{"order_id":90071992547409931},"execution":{"status":"ready","ready":true},"expires_at_ms":1795012328000}'
  const kept = keptPreparation(raw, PreparedAction.parse({ ...JSON.parse(raw), payload: { order_id: '90071992547409931' } }), {
    payload: null,
    typedData: null,
  })
  expect(kept).toContain('90071992547409931')
})

test('the app can sign a message later whose field or id looks like a secret, and still stores no secret beside it [FLOW-02] [AUTH-09]', () => {
  const positionId = 'SVC-PERP-0000001204'
  const data = closePosition()
  data.types.ClosePosition?.push({ name: 'token', type: 'address' }, { name: 'extra', type: 'bytes' })
  Object.assign(data.message, { positionId, token: router, extra: `0x${'a7'.repeat(65)}` })
  const answer = {
    ...{ intent_id: 'dx_1', payload: { position_id: positionId, note: 'SVC3105d0a7c21b4f6e98d0' }, expires_at_ms: 1_795_012_328_000 },
    execution: { ready: true, status: 'signature_ready', mode: 'signed_intent', transactions: [], typed_data: data },
  }
  const prepared = PreparedAction.parse(answer)
  const { json, digest } = read(data)
  const kept = keptPreparation(redactBody(JSON.stringify(answer)), prepared, { payload: { position_id: positionId }, typedData: json })
  const again = PreparedAction.parse(JSON.parse(kept))
  expect(read(again.execution.typedData).digest).toBe(digest)
  expect(again.payload).toEqual({ position_id: positionId, note: 'SVC[redacted]' })
})
