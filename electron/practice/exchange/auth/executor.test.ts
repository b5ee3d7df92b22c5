import { afterEach, beforeEach, expect, test } from 'vitest'
import { brief, type Developer, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { at, type Bench, keyHeader, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let developer: Developer
beforeEach(async () => {
  bench = await start()
  developer = await openDeveloper(bench)
})
afterEach(() => bench.stop())

test('the practice exchange binds only one executor to a key; a later request replaces that executor [KEY-12]', async () => {
  const key = `/api/dex/developer/keys/${text(await developer.create(), 'key.key_id')}`
  const put = (executor: unknown) => developer.call(`PUT ${key}/executor`, { executor })
  expect(at(await put('exec-fra-1'), 'key.executor')).toBe('exec-fra-1')
  expect(at(await put('0x52908400098527886e0f7030069857d2e4169ee7'), 'key.executor')).toBe('0x52908400098527886E0F7030069857D2E4169EE7')
  for (const wrong of [['exec-fra-1', 'exec-fra-2'], { id: 'exec-fra-1' }, 'exec fra', '', 'x'.repeat(97), 7, null, undefined])
    expect([wrong, brief(await put(wrong))]).toEqual([wrong, '400 VALIDATION_ERROR'])
  expect(at(await developer.call('GET /api/dex/developer/keys'), 'keys.0.executor')).toBe('0x52908400098527886E0F7030069857D2E4169EE7')
})

test('if a client changes the executor of a key, the practice exchange leaves other keys unchanged [KEY-12] [ORD-14]', async () => {
  const [bound, other] = [await developer.create(), await developer.create()]
  await developer.call(`PUT /api/dex/developer/keys/${text(bound, 'key.key_id')}/executor`, { executor: 'exec-fra-1' })
  const execute = async (apiKey: string) =>
    brief(await bench.call('POST /api/dex/v1/orders/execute', { ...keyHeader(apiKey), body: { action: 'close', payload: {} } }))
  expect(await execute(text(bound, 'api_key'))).toBe('400 VALIDATION_ERROR')
  expect(await execute(text(other, 'api_key'))).toBe('403 delegated_executor_binding_required')
})
