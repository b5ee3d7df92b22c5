import { expect, test } from 'vitest'
import { ExpectedFailure } from '../kernel/failures.ts'
import { type ActiveProfile, createDeskSwitch } from './desk.ts'

const live = (id: string): ActiveProfile => ({ kind: 'live', id, name: id, hostUrl: `https://${id}.test` })

function setUp() {
  const events: string[] = []
  const desk = createDeskSwitch(async (profile) => {
    events.push(`build ${profile.id}`)
    await Promise.resolve()
    if (profile.id === 'taken') throw new ExpectedFailure({ kind: 'journal', issue: 'taken' })
    if (profile.id === 'broken') throw new Error('a bug')
    return {
      id: profile.id,
      close: async () => {
        await Promise.resolve()
        events.push(`closed ${profile.id}`)
      },
    }
  })
  return { desk, events }
}

test('ends the services of one profile before it builds those of the next [AUTH-03]', async () => {
  const { desk, events } = setUp()
  await Promise.all([desk.open(live('a')), desk.open(live('b'))])
  expect(events).toEqual(['build a', 'closed a', 'build b'])
  expect(desk.current()?.id).toBe('b')
  await desk.close()
  expect(desk.current()).toBe(null)
  expect(events.at(-1)).toBe('closed b')
})

test('a call made during the exchange waits for the new services, never meets the old', async () => {
  const { desk } = setUp()
  await desk.open(live('a'))
  const opening = desk.open(live('b'))
  const met = desk.settled()
  await Promise.resolve()
  expect(desk.current()?.id).not.toBe('a')
  expect((await met)?.id).toBe('b')
  await opening
})

test('a journal in use is a failure that can be shown; the next profile can be opened', async () => {
  const { desk } = setUp()
  expect(await desk.open(live('taken'))).toEqual({ ok: false, failure: { kind: 'journal', issue: 'taken' } })
  expect(desk.current()).toBe(null)
  await expect(desk.open(live('broken'))).rejects.toThrow('a bug')
  expect(await desk.open(live('a'))).toEqual({ ok: true, value: undefined })
})
