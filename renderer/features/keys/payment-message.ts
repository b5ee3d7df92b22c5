import { compare, formatDecimal } from '../../../shared/decimal.ts'
import type { PreparedPayment } from '../../../shared/ipc/agents.ts'
import type { ComparisonLine } from '../../../shared/ipc/signing.ts'
import type { SigningFact, SigningMessage, TransactionPart } from '../../ui/signing/signing-message.ts'

const usdc = (amount: string): string => `${formatDecimal(amount, { minDecimals: 2 })} USDC`

/** Below this, six decimals would show nothing. */
const smallestEth = '0.000001'
const eth = (amount: string): string =>
  compare(amount, smallestEth) < 0 && compare(amount, '0') > 0 ? 'below 0.000001' : formatDecimal(amount, { decimals: 6 })

function wordOf({ expectedPhrase, spending, call }: PreparedPayment): TransactionPart['word'] {
  if (expectedPhrase === null) return null
  if (call === null)
    return {
      title: 'This app cannot read what it does',
      text: 'The calldata is none that is known here. Only go on if you know by other means what the contract does with it.',
      phrase: expectedPhrase,
    }
  return {
    title: spending === null ? 'It moves your USDC' : 'It lets a contract take your USDC',
    text: spending === null ? call.sentence : `${call.sentence} ${spending.sentence}`,
    phrase: expectedPhrase,
  }
}

function obstacleOf({ simulation, gas }: PreparedPayment): string | null {
  if (simulation.outcome === 'reverts')
    return `Tried on the chain, it would be taken back${simulation.reason === null ? '' : `: ${simulation.reason.replace(/\.$/, '')}`}. The fee would be lost.`
  if (gas !== null && !gas.enough)
    return `Your wallet has ${eth(gas.balanceEth)} ETH on Base, and the network fee may be ${eth(gas.costEth)} ETH. Send it some ETH, then prepare the payment again.`
  return null
}

const tried: Readonly<Record<PreparedPayment['simulation']['outcome'], string>> = {
  works: 'Works',
  reverts: 'Would be taken back',
  skipped: 'Could not be tried',
}

const factsOf = ({ gas, simulation }: PreparedPayment): SigningFact[] => [
  { label: 'Network fee, at most', value: gas === null ? '—' : eth(gas.costEth), unit: gas === null ? null : 'ETH' },
  { label: 'Your wallet has', value: gas === null ? '—' : eth(gas.balanceEth), unit: gas === null ? null : 'ETH' },
  { label: 'Tried on the chain', value: tried[simulation.outcome], unit: null },
]

/** Names the argument that a line speaks of as a phone shows it. */
function withArgument(line: ComparisonLine, call: PreparedPayment['call']): ComparisonLine {
  const type = line.id === 'amount' ? 'uint256' : line.id === 'spender' ? 'address' : null
  const argument = call?.arguments.find((one) => one.type === type)
  return argument === undefined ? line : { ...line, field: argument.name }
}

/** What the signing sheet shows of a prepared payment: every line of the transaction, what it allows, what it costs. */
export function paymentMessage(prepared: PreparedPayment): SigningMessage {
  const { call, lines, target, label, amountUsdc } = prepared
  const counted = lines.filter(({ verdict }) => verdict !== 'absent')
  const title = `Pay for execution with ${label}`
  return {
    thing: 'transaction',
    title,
    lead: 'One transaction, which your wallet sends itself. It needs a little ETH on Base.',
    summary: `${usdc(amountUsdc)} for ${label}`,
    comparison: {
      title,
      primaryType: call?.signature ?? 'calldata that cannot be read',
      lines: lines.map((line) => withArgument(line, call)),
      matched: counted.filter(({ verdict }) => verdict === 'match').length,
      total: counted.length,
      verdict: prepared.verdict,
      sentence: prepared.sentence,
      layoutHash: '',
      layoutKnown: true,
      unmatched: [],
      digest: '',
      raw: prepared.raw,
    },
    facts: factsOf(prepared),
    router: target.check,
    moved: null,
    preparedAtMs: prepared.preparedAtMs,
    deadlineMs: prepared.deadlineMs,
    requestId: prepared.requestId,
    intentId: null,
    unknownFields: null,
    transaction: {
      contract: target.role === 'router' ? 'router' : 'collateral token',
      spender: prepared.spender,
      word: wordOf(prepared),
      obstacle: obstacleOf(prepared),
    },
  }
}
