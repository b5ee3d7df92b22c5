import { type Arbitrary, constant, constantFrom, nat, oneof, record } from 'fast-check'

/** Faults that can happen with every execution method. */
const always = ['none', 'finality: fails'] as const
const prepared = ['prepare: answer lost', 'prepare: request lost', 'prepare: fails', 'prepare: refused', 'prepare: not executable'] as const

const orders = {
  signature: ['long', 'short', 'limit', 'close half', 'close', 'close at limit', 'invert'],
  transactions: ['deposit', 'deposit own token', 'withdraw', 'exits', 'add margin', 'cancel'],
  executor: ['open', 'limit', 'increase', 'reduce', 'close', 'invert', 'exits', 'margin', 'batch'],
} as const

const troubles = {
  signature: [
    ...always,
    ...prepared,
    'relay: answer lost',
    'relay: answer lost, nothing found',
    'relay: request lost',
    'relay: answer cut',
    'relay: fails',
    'relay: refused',
    'relay: asked to wait',
    'relay: killed meanwhile',
  ],
  transactions: [...always, ...prepared, 'receipt: answer lost', 'receipt: fails', 'rpc: silent', 'rpc and finality: silent'],
  executor: [
    ...always,
    'execute: answer lost',
    'execute: every answer lost',
    'execute: every answer lost for long',
    'execute: request lost',
    'execute: never arrives',
    'execute: answer cut',
    'execute: fails',
    'execute: refused',
    'execute: asked to wait',
    'execute: lost, then refused',
    'execute: killed meanwhile',
    'execute: names no command',
    'status: fails',
  ],
} as const

const phones = {
  signature: ['signs', 'rejects', 'is silent', 'answers late', 'is asked twice'],
  transactions: [
    'signs',
    'rejects',
    'is silent',
    'is given up',
    'is asked twice',
    'answers late',
    'sends late',
    'sends, its answer is lost',
    'sends, answers after a restart',
    'sends another',
  ],
} as const

/**
 * What the chain does with a transaction. `takes back`: a reorganisation removes its block, and the transaction is mined again later. `reorganises`:
 * the removed transaction is lost.
 */
const anyChain = ['mines', 'reverts', 'reorganises', 'takes back', 'takes back at once', 'reverts and takes back'] as const
const chains = {
  signature: anyChain,
  transactions: [...anyChain, 'takes the first back', 'drops it', 'has it again for more', 'has another in its place'],
  executor: [...anyChain, 'is away', 'sends nothing for long'],
} as const

/** A random value that is `usual` with the given weight. Most actions succeed, so that some faults meet a trader with positions and orders. */
const mostly = <Value extends string>(usual: Value, weight: number, ...others: readonly Value[]): Arbitrary<Value> =>
  oneof({ weight, arbitrary: constant(usual) }, { weight: 1, arbitrary: constantFrom(...others) })

const any = {
  pairId: constantFrom(1, 2),
  /** An amount, in units of 10 USDC. */
  value: nat(40),
  /** The process dies before this write, counted from 0; `null` if the process survives. */
  dies: oneof({ weight: 3, arbitrary: constant(null) }, { weight: 2, arbitrary: nat(20) }),
}

const signature = record({
  way: constant('signature' as const),
  order: constantFrom(...orders.signature),
  trouble: mostly('none', 1, ...troubles.signature),
  phone: mostly('signs', 4, ...phones.signature),
  chain: mostly('mines', 3, ...chains.signature),
  ...any,
})
const transactions = record({
  way: constant('transactions' as const),
  order: constantFrom(...orders.transactions),
  trouble: mostly('none', 2, ...troubles.transactions),
  phone: mostly('signs', 1, ...phones.transactions),
  chain: mostly('mines', 1, ...chains.transactions),
  /** Index of the transaction that `phone` and `chain` affect. The other transaction of the same action succeeds. */
  step: constantFrom(0, 1),
  ...any,
})
const executor = record({
  way: constant('executor' as const),
  order: constantFrom(...orders.executor),
  trouble: mostly('none', 1, ...troubles.executor),
  chain: mostly('mines', 2, ...chains.executor),
  ...any,
})

type Of<Given> = Given extends Arbitrary<infer Value> ? Value : never
export type SignatureMove = Of<typeof signature>
export type TransactionsMove = Of<typeof transactions>
export type ExecutorMove = Of<typeof executor>
/** An action of a trader and the fault that happens meanwhile. */
export type Move = SignatureMove | TransactionsMove | ExecutorMove

export const reverts = (chain: Move['chain']): boolean => chain === 'reverts' || chain === 'reverts and takes back'

export const anyMove: Arbitrary<Move> = oneof(signature, transactions, executor)
