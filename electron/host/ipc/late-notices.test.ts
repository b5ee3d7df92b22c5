import { expect, test } from 'vitest'
import type { AppEvent } from '../../../shared/ipc/contract.ts'
import { createLateNotices } from './answer-call.ts'

const notice = { type: 'notice', severity: 'danger', notice: { code: 'page_reloaded' }, to: null } as const

test('the main process keeps a notice that arrives while no page is ready, and shows the notice once to the next page', async () => {
  const shown: AppEvent[] = []
  const { add, watch } = createLateNotices((event) => shown.push(event))
  const answer = { result: { ok: true, value: {} }, invalidates: [] } as const
  const ask = watch(async () => answer)
  add(notice)
  expect(await ask('app.info', {})).toBe(answer)
  expect(shown).toEqual([])
  expect(await ask('lock.state', {})).toBe(answer)
  expect(shown).toEqual([notice])
  await ask('lock.state', {})
  expect(shown).toEqual([notice])
})
