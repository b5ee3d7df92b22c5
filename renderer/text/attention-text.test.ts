import { expect, test } from 'vitest'
import { attentionText } from './attention-text.ts'

const row = { id: 'x', severity: 'danger', to: '/', atMs: 0, untilMs: null } as const

test('the app explains for each kind of item that needs attention what the user can do', () => {
  expect(attentionText({ ...row, kind: 'journal_rebuilt', what: 'set_aside', names: [] }).text).toContain('Sign in')
  expect(attentionText({ ...row, kind: 'journal_rebuilt', what: 'no_space', names: [] })).toMatchObject({
    title: 'The disk is full',
    text: expect.stringContaining('revoking still work'),
  })
  expect(attentionText({ ...row, kind: 'journal_rebuilt', what: 'profiles_unreadable', names: ['profile/p1'] })).toMatchObject({
    title: 'A profile cannot be read',
    text: expect.stringContaining('profile/p1'),
  })
  expect(attentionText({ ...row, kind: 'bulk_action_unfinished', bulkAction: 'kill', left: 3, of: 3 }).text).toBe('3 of 3 steps remain.')
  expect(attentionText({ ...row, kind: 'bulk_action_unfinished', bulkAction: 'kill', left: 1, of: 1 }).text).toBe('1 of 1 step remains.')
  expect(attentionText({ ...row, kind: 'replacement_due', label: 'bot', planned: true, signs: true }).text).toContain('wallet')
  expect(attentionText({ ...row, kind: 'grant_expiring', label: 'bot', agent: null, over: false })).toMatchObject({
    title: 'Agent of bot: its grant expires soon',
    action: 'Renew',
  })
  expect(attentionText({ ...row, kind: 'unknown_intent', title: { code: 'as_written', text: 'Buy BTC' }, reason: null }).text).toBe(
    'The app checks the result again automatically.',
  )
})
