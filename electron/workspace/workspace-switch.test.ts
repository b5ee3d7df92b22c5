import { expect, test } from 'vitest'
import { ExpectedFailure } from '../kernel/failures.ts'
import { type ActiveProfile, createWorkspaceSwitch } from './workspace-switch.ts'

const live = (id: string): ActiveProfile => ({ kind: 'live', id, name: id, hostUrl: `https://${id}.test` })

function setUp() {
  const events: string[] = []
  const workspace = createWorkspaceSwitch(async (profile) => {
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
  return { workspace, events }
}

test('the app closes one profile’s services before it builds the next profile’s [AUTH-03]', async () => {
  const { workspace, events } = setUp()
  await Promise.all([workspace.open(live('a')), workspace.open(live('b'))])
  expect(events).toEqual(['build a', 'closed a', 'build b'])
  expect(workspace.current()?.id).toBe('b')
  await workspace.close()
  expect(workspace.current()).toBe(null)
  expect(events.at(-1)).toBe('closed b')
})

test('a call that arrives during a profile switch waits for the new profile’s services', async () => {
  const { workspace } = setUp()
  await workspace.open(live('a'))
  const opening = workspace.open(live('b'))
  const met = workspace.settled()
  await Promise.resolve()
  expect(workspace.current()?.id).not.toBe('a')
  expect((await met)?.id).toBe('b')
  await opening
})

test('the app fails to open a profile whose journal another process uses, and can still open another profile', async () => {
  const { workspace } = setUp()
  expect(await workspace.open(live('taken'))).toEqual({ ok: false, failure: { kind: 'journal', issue: 'taken' } })
  expect(workspace.current()).toBe(null)
  await expect(workspace.open(live('broken'))).rejects.toThrow('a bug')
  expect(await workspace.open(live('a'))).toEqual({ ok: true, value: undefined })
})
