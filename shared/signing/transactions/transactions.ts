import { isHex, keccak256, numberToHex } from 'viem'
import type { TransactionEntry } from '../../api/schemas/prepared-action-resources.ts'
import type { BlockReason, ComparisonLine } from '../../ipc/intents/comparison-lines.ts'
import type { Spending } from '../../ipc/intents/signing.ts'
import type { ActionTicket } from '../../ipc/intents/tickets.ts'
import { phraseOf, unreadablePhrase } from '../../phrases.ts'
import { type TokenRole, tokenRole } from '../../positions.ts'
import { actionTitle } from '../../ticket/actions/action-payload.ts'
import { endsRisk } from '../../ticket/actions/check-action.ts'
import { type Compared, conclude, despiteFormat, type Signable } from '../comparison.ts'
import { checksummed } from '../message/envelope.ts'
import { type PayloadDifference, payloadLines } from '../message/payload.ts'
import { linesOf } from '../question-kinds.ts'
import { type ExpectedRouter, type PinnedScales, sameAddress, type TrustedFormat } from '../trust.ts'
import { type CallFacts, callQuestions, functionsOf } from './call-questions.ts'
import { line, sendUntilLine, spendingOf, valueLine, walletLine } from './payment.ts'
import { approveFormat, type DecodedCall, decodeCall, routerFunctionOf } from './router-calls.ts'
import { compareUnknownCall } from './unknown-call.ts'

/** What the user requested, and the contracts that the app expects in the transactions. */
export interface TransactionsExpectation {
  readonly ticket: ActionTicket
  readonly wallet: string
  readonly router: ExpectedRouter | null
  /** USDC and the protocol's own token. `decimals` null: the chain did not return the number of decimals. */
  readonly tokens: Readonly<Record<TokenRole, { readonly contract: ExpectedRouter | null; readonly decimals: number | null }>>
  /** Decimal places of prices in this market, for display. */
  readonly priceDecimals: number | null
  /** Formats of contract calls that the user accepted before for this action in this profile. */
  readonly formats: readonly TrustedFormat[]
  /** Differences between the payload that the app sent and the one that the service returned, from `comparePayload`. */
  readonly payload?: readonly PayloadDifference[]
  /** The service's time: this computer's time plus the measured clock offset. */
  readonly nowMs: number
}

export type CalledContract = 'router' | TokenRole | 'unknown'

export interface ExplainedTransaction {
  readonly contract: CalledContract
  /** Signature of the called function, for example `approve(address,uint256)`; null: the calldata is unreadable. */
  readonly signature: string | null
  readonly compared: Compared
  /** The allowance that the transaction grants; null if it does not allow a contract to take tokens later. */
  readonly spending: Spending | null
  /** The phrase that the user must type before the transaction is sent; null if none is needed, or if the transaction is blocked. */
  readonly expectedPhrase: string | null
  /** The transaction for the wallet, built from the compared values; null if it is blocked, or if it states no contract. */
  readonly transaction: { readonly from: string; readonly to: string; readonly data: string; readonly value: string } | null
}

export interface ExplainedTransactions {
  /** The transactions of the action, in sending order. */
  readonly steps: readonly ExplainedTransaction[]
  readonly verdict: 'pass' | 'confirm' | 'block'
  /** Why the app blocks the transactions; null unless the verdict is `block`. */
  readonly blocked: BlockReason | null
  readonly expectedPhrase: string | null
}

interface Called {
  readonly contract: CalledContract
  readonly trusted: ExpectedRouter | null
}

function calledBy(to: string | null, { router, tokens }: TransactionsExpectation): Called {
  // Look for tokens first: the service may publish a token as one of its contracts, but only an approval of a token may ever be sent.
  for (const token of ['USDC', 'own'] as const) {
    const { contract } = tokens[token]
    if (sameAddress(to, contract?.address)) return { contract: token, trusted: contract }
  }
  if (sameAddress(to, router?.address)) return { contract: 'router', trusted: router }
  return { contract: 'unknown', trusted: null }
}

function contractLine(to: string | null, { contract, trusted }: Called): ComparisonLine {
  const part = { id: 'contract', asked: { code: 'router_or_token' }, field: 'to' } as const
  if (contract === 'unknown')
    return line({
      ...part,
      signed: to === null ? null : { code: 'contract', is: 'no_token', address: to },
      verdict: 'differ',
      remark: to === null ? null : { code: 'unknown_contract', address: to },
    })
  const signed = to === null ? null : ({ code: 'contract', is: contract, address: checksummed(to) } as const)
  return trusted?.by === 'service' && trusted.instead === null
    ? line({ ...part, signed, verdict: 'unmatched', remark: { code: 'not_pinned' }, code: 'not_pinned' })
    : line({ ...part, signed, verdict: 'match' })
}

/** The comparison line for the called function: whether it is the right function for the requested action. */
function functionLine(entry: TransactionEntry, { contract }: Called, call: DecodedCall | null, ticket: ActionTicket, isHeld: boolean): ComparisonLine {
  const part = { id: 'function', field: 'data', group: 'order', asked: { code: 'action', title: actionTitle(ticket, null) } } as const
  const isAsked = (name: string): boolean => functionsOf(ticket).some((each) => each === name)
  if (call === null) {
    const named = entry.data === null ? null : routerFunctionOf(entry.data)
    // The calldata has extra bytes or padding, but still calls a function for another action.
    if (named !== null && !isAsked(named.name)) return line({ ...part, signed: named.signature, verdict: 'differ', remark: { code: 'other_call' } })
    const signed = entry.data === null ? null : ({ code: 'calldata', selector: entry.data.slice(0, 10) } as const)
    // The function is unknown, but its arguments contain the requested values. Each of these values has its own comparison line.
    if (isHeld && signed !== null) return line({ ...part, signed, verdict: 'absent', remark: { code: 'by_arguments' }, code: 'agreed' })
    // An undecoded call to a token contract could transfer tokens to anyone, so it is blocked. A call to an unknown contract is already blocked by
    // the line about the contract.
    return contract !== 'USDC' && contract !== 'own' && signed !== null
      ? line({ ...part, signed, verdict: 'unmatched', remark: { code: 'unread_call' } })
      : line({ ...part, signed, verdict: 'differ', remark: { code: 'never_unread' } })
  }
  const isApproval = call.name === 'approve'
  const said = { ...part, signed: call.signature }
  if (entry.kind === 'approval' ? !isApproval : entry.kind === 'action' && isApproval)
    return line({ ...said, verdict: 'differ', remark: { code: 'called', kind: isApproval ? 'action' : 'approval' } })
  if (isApproval ? ticket.action === 'add_collateral' && contract === tokenRole(ticket.token) : isAsked(call.name)) return line({ ...said, verdict: 'match' })
  return line({ ...said, verdict: 'differ', remark: { code: 'other_call' } })
}

/** Parses an ETH amount in wei. A missing amount counts as 0. null if it is not a number. */
function weiOf(written: string | null): bigint | null {
  if (written === null || written === '0x') return 0n
  return isHex(written) || /^\d{1,78}$/.test(written) ? BigInt(written) : null
}

const envelope = (entry: TransactionEntry, { wallet, nowMs }: TransactionsExpectation): readonly ComparisonLine[] => [
  walletLine(entry.from, wallet),
  valueLine(weiOf(entry.value)),
  sendUntilLine(entry.deadlineMs, nowMs),
]

function explain(entry: TransactionEntry, expectation: TransactionsExpectation): ExplainedTransaction {
  const explained = explainIn(entry, expectation)
  if (!endsRisk(expectation.ticket)) return explained
  const again = () => explainIn(entry, { ...expectation, formats: [] })
  const compared = despiteFormat(explained.compared, () => again().compared)
  if (compared === explained.compared) return explained
  const { asks } = compared.comparison
  return { ...again(), compared, expectedPhrase: asks === null ? null : phraseOf(asks) }
}

function explainIn(entry: TransactionEntry, expectation: TransactionsExpectation): ExplainedTransaction {
  const { ticket, wallet, router, tokens, priceDecimals } = expectation
  const called = calledBy(entry.to, expectation)
  const data = entry.data ?? '0x'
  const call = called.contract === 'unknown' ? null : decodeCall(called.contract === 'router' ? 'router' : 'token', data)
  const facts: CallFacts = {
    ticket,
    router: router?.address ?? null,
    tokens: {
      USDC: { address: tokens.USDC.contract?.address ?? null, decimals: tokens.USDC.decimals },
      own: { address: tokens.own.contract?.address ?? null, decimals: tokens.own.decimals },
    },
    priceDecimals,
  }
  const isExit = endsRisk(ticket)
  const trusted = [router?.address, tokens.USDC.contract?.address, tokens.own.contract?.address].filter((address) => address != null)
  const unknown =
    call === null && called.contract === 'router'
      ? compareUnknownCall(data, { facts, wallet, trusted, formats: expectation.formats, isExit, nowMs: expectation.nowMs })
      : null
  const isAgreed = unknown !== null && expectation.formats.some(({ hash }) => hash === unknown.formatHash)
  const isHeld = unknown?.isHeld === true && (isAgreed || isExit)
  const what = functionLine(entry, called, call, ticket, isHeld)
  const formats = call?.name === 'approve' ? [...expectation.formats, approveFormat] : expectation.formats
  const signable = signableOf(entry, data, call, unknown?.isHeld === true ? unknown.formatHash : null)
  const pin = formats.find(({ hash }) => hash === signable.formatHash) ?? null
  // If the call is not for the requested action, its arguments cannot be compared with the request.
  const asked = call === null || what.verdict === 'differ' ? null : callQuestions(call, facts, pin)
  const compared = conclude({
    compares: 'transaction',
    typedData: signable,
    lines: [
      what,
      ...(asked === null || call === null
        ? []
        : asked.list.flatMap((question) =>
            linesOf(
              question,
              call.leaves.filter(({ path }) => path === question.role),
            ),
          )),
      ...(unknown?.lines ?? []),
      // Payload differences are listed with the action's own transaction, and not with the approval before it.
      ...(call?.name === 'approve' ? [] : payloadLines(expectation.payload ?? [])),
      contractLine(entry.to, called),
      ...envelope(entry, expectation),
    ],
    formats,
    scales: asked?.scales ?? unknown?.scales ?? noScales,
    isExit: isExit && (call !== null || isHeld),
    unreadable: call === null && !isHeld ? data.slice(0, 10) : null,
    block: null,
  })
  const { verdict, asks } = compared.comparison
  return {
    contract: called.contract,
    signature: call?.signature ?? null,
    compared: pinned(compared, unknown?.isHeld === true ? unknown.format : null),
    spending: spendingBy(call, called.contract, expectation),
    expectedPhrase: asks === null ? null : phraseOf(asks),
    transaction: verdict === 'block' || entry.to === null ? null : { from: wallet, to: entry.to, data, value: numberToHex(weiOf(entry.value) ?? 0n) },
  }
}

const noScales: PinnedScales = { usdcScale: null, priceScale: null, leverageScale: null, sizeScale: null }

const pinned = (compared: Compared, format: TrustedFormat['format']): Compared =>
  format === null ? compared : { ...compared, pin: { ...compared.pin, format } }

function spendingBy(call: DecodedCall | null, contract: CalledContract, { ticket, tokens }: TransactionsExpectation): Spending | null {
  if (call?.name !== 'approve' || contract === 'router' || contract === 'unknown') return null
  const value = (name: string) => call.leaves.find(({ path }) => path === name)?.value
  const [spender, amount] = [value('spender'), value('amount')]
  const { decimals } = tokens[contract]
  if (typeof spender !== 'string' || typeof amount !== 'bigint' || decimals === null) return null
  const isAsked = 'token' in ticket && tokenRole(ticket.token) === contract
  const symbol = isAsked ? ticket.token : contract === 'USDC' ? contract : null
  return spendingOf(symbol, spender, amount, decimals, null)
}

function signableOf({ kind, from, to, value }: TransactionEntry, data: string, call: DecodedCall | null, held: `0x${string}` | null): Signable {
  const hash = keccak256(isHex(data) && data.length % 2 === 0 ? data : '0x')
  return {
    formatHash: call?.formatHash ?? held ?? hash,
    primaryType: call?.signature ?? data.slice(0, 10),
    domain: {},
    digest: hash,
    raw: JSON.stringify({ kind, from, to, data, value }, null, 2),
  }
}

/**
 * Checks the list of transactions: exactly one transaction for the action, with at most one approval before it. Returns the reason to block a wrong
 * list; null if the list is right.
 */
function orderIssue(steps: readonly ExplainedTransaction[]): BlockReason | null {
  if (steps.length === 0) return { code: 'no_transaction' }
  const approvals = steps.filter(({ signature }) => signature === 'approve(address,uint256)').length
  const actions = steps.length - approvals
  if (actions === 0) return { code: 'approval_alone' }
  if (actions > 1) return { code: 'several_transactions', count: actions }
  if (approvals > 1) return { code: 'several_approvals', count: approvals }
  return approvals === 1 && steps[0]?.signature !== 'approve(address,uint256)' ? { code: 'approval_after' } : null
}

/**
 * Decodes the transactions of a prepared action and compares each with the request (FLOW-03). A difference in one transaction blocks all. Unreadable
 * router calldata is labelled and needs its own phrase. A new signing format needs one confirmation.
 */
export function explainTransactions(entries: readonly TransactionEntry[], expectation: TransactionsExpectation): ExplainedTransactions {
  const steps = entries.map((entry) => explain(entry, expectation))
  const first = (verdict: 'block' | 'confirm') => steps.find(({ compared }) => compared.comparison.verdict === verdict)
  const blocked = first('block')?.compared.comparison.blocked ?? orderIssue(steps)
  if (blocked !== null) return { steps, verdict: 'block', blocked, expectedPhrase: null }
  const phrases = steps.flatMap(({ expectedPhrase }) => expectedPhrase ?? [])
  return {
    steps,
    verdict: first('confirm') === undefined ? 'pass' : 'confirm',
    blocked: null,
    expectedPhrase: steps.some(({ compared }) => compared.comparison.asks?.kind === 'unreadable_call') ? unreadablePhrase : (phrases[0] ?? null),
  }
}
