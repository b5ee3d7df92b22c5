import type { ExecutorMove, Move, SignatureMove, TransactionsMove } from './troubled-moves.ts'

const calm = { trouble: 'none', chain: 'mines', pairId: 1, value: 5, dies: null } as const
const signature = (change: Partial<SignatureMove> = {}): Move => ({ way: 'signature', order: 'long', phone: 'signs', ...calm, ...change })
const sent = (change: Partial<TransactionsMove> = {}): Move => ({ way: 'transactions', order: 'deposit', phone: 'signs', step: 0, ...calm, ...change })
const executed = (change: Partial<ExecutorMove> = {}): Move => ({ way: 'executor', order: 'open', ...calm, ...change })

const upTo = (last: number): number[] => Array.from({ length: last + 1 }, (_, index) => index)
/** Makes one run for each move (an action with a fault). `false`: at the end of each run, the user resumes all open intents. */
const each = (moves: readonly Move[]): [Move[], boolean][] => moves.map((move) => [[move], false])

/**
 * Fixed runs that reach every transition and every process death that the test lists, so that the test does not depend on random runs. Each entry:
 * the moves (actions with faults) of a run, and whether the user drops intents that are still open at the end.
 */
export const examples: [Move[], boolean][] = [
  ...each(upTo(12).map((dies) => signature({ dies }))),
  ...each(upTo(3).flatMap((more) => [signature({ phone: 'rejects', dies: more + 6 }), signature({ trouble: 'relay: refused', dies: more + 9 })])),
  ...each(upTo(3).map((more) => signature({ trouble: 'relay: request lost', dies: more + 9 }))),
  [[signature({ trouble: 'relay: asked to wait' })], true],
  [[signature({ trouble: 'relay: asked to wait' }), signature({ phone: 'answers late' })], false],
  ...each([
    signature({ phone: 'is asked twice' }),
    signature({ phone: 'is silent' }),
    signature({ chain: 'reverts' }),
    signature({ chain: 'reorganises' }),
    signature({ chain: 'takes back at once' }),
    signature({ chain: 'reverts and takes back' }),
    signature({ trouble: 'prepare: not executable' }),
    signature({ trouble: 'prepare: refused' }),
    signature({ trouble: 'relay: killed meanwhile' }),
  ]),
  [[signature(), signature({ order: 'close half' }), signature({ order: 'invert' }), signature({ order: 'close at limit' })], false],

  ...each(upTo(13).map((dies) => sent({ order: 'withdraw', dies }))),
  ...each(upTo(4).flatMap((more) => [sent({ phone: 'rejects', dies: more + 9 }), sent({ phone: 'is given up', dies: more + 9 })])),
  ...each([
    sent({ phone: 'rejects', step: 1, chain: 'takes back' }),
    sent({ phone: 'is asked twice' }),
    sent({ phone: 'is given up' }),
    sent({ phone: 'sends late' }),
    sent({ phone: 'sends another' }),
    sent({ phone: 'sends another', order: 'withdraw' }),
    sent({ phone: 'sends, answers after a restart', step: 1 }),
    sent({ chain: 'reverts' }),
    sent({ chain: 'takes back', step: 1 }),
    sent({ chain: 'takes the first back' }),
    sent({ chain: 'drops it' }),
    sent({ chain: 'drops it', step: 1 }),
    sent({ chain: 'takes back at once', step: 1 }),
    sent({ chain: 'reverts and takes back', step: 1 }),
  ]),
  [[sent({ order: 'withdraw' }), signature({ pairId: 2 }), sent({ order: 'add margin', pairId: 2 }), sent({ order: 'exits', pairId: 2 })], false],

  ...each(upTo(6).map((dies) => executed({ dies }))),
  ...each(
    upTo(1).flatMap((more) => [executed({ trouble: 'execute: every answer lost', dies: more + 3 }), executed({ trouble: 'execute: refused', dies: more + 3 })]),
  ),
  ...each([
    executed({ chain: 'sends nothing for long' }),
    executed({ chain: 'takes back' }),
    executed({ chain: 'takes back at once' }),
    executed({ chain: 'reverts and takes back' }),
    executed({ trouble: 'execute: lost, then refused' }),
  ]),
  [[executed({ trouble: 'execute: every answer lost for long' })], true],
  [[executed({ trouble: 'execute: never arrives' })], true],
  [[executed(), executed({ order: 'batch', trouble: 'execute: killed meanwhile' }), executed({ order: 'increase' }), executed({ order: 'exits' })], false],
]
