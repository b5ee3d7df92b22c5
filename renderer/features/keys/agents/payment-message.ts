import { formatDecimal } from '../../../../shared/decimal.ts'
import type { ComparisonLine } from '../../../../shared/ipc/intents/comparison-lines.ts'
import type { PreparedPayment } from '../../../../shared/ipc/keys/agents.ts'
import { paymentCallText } from '../../../../shared/text/signing-text.ts'
import { transactionFacts, transactionObstacle } from '../../../signing/parts/router-evidence.tsx'
import type { SigningMessage, TransactionPart } from '../../../signing/parts/signing-message.ts'
import { keysText } from '../../../text/en/keys.en.tsx'

const usdc = (amount: string): string => keysText.usdc(formatDecimal(amount, { minDecimals: 2 }))

function wordOf(prepared: PreparedPayment): TransactionPart['word'] {
  const { expectedPhrase, spending } = prepared
  if (expectedPhrase === null) return null
  const text = paymentCallText(prepared)
  if (text === null)
    return {
      title: keysText.transactionUnreadable,
      text: keysText.unknownCalldata,
      phrase: expectedPhrase,
    }
  return {
    title: spending === null ? keysText.transactionMovesUsdc : keysText.transactionApprovesUsdc,
    text,
    phrase: expectedPhrase,
  }
}

/** Labels a line with the argument name that the phone shows. */
function withArgument(line: ComparisonLine, call: PreparedPayment['call']): ComparisonLine {
  const type = line.id === 'amount' ? 'uint256' : line.id === 'spender' ? 'address' : null
  const argument = call?.arguments.find((one) => one.type === type)
  return argument === undefined ? line : { ...line, field: argument.name }
}

/** The signing sheet's content for a prepared payment: each line of the transaction, the spending right it grants, and its network fee. */
export function paymentMessage(prepared: PreparedPayment): SigningMessage {
  const { call, lines, target, label, amountUsdc } = prepared
  const counted = lines.filter(({ verdict }) => verdict !== 'absent')
  const title = keysText.payForExecutionWith(label)
  return {
    thing: 'transaction',
    subject: 'payment',
    preparedAgain: 'new_deadline',
    title,
    lead: keysText.paymentSigningLead,
    summary: keysText.paymentSummary(usdc(amountUsdc), label),
    comparison: {
      compares: 'transaction',
      primaryType: call?.signature ?? keysText.unreadableCalldata,
      lines: lines.map((line) => withArgument(line, call)),
      matched: counted.filter(({ verdict }) => verdict === 'match').length,
      total: counted.length,
      verdict: prepared.verdict,
      asks: null,
      blocked: prepared.blocked,
      formatHash: '',
      formatKnown: true,
      earlierFormats: [],
      digest: '',
      raw: prepared.raw,
    },
    facts: transactionFacts(prepared),
    contracts: [
      ...(target.check === null ? [] : [{ what: target.role === 'router' ? ('router' as const) : ('collateral token' as const), check: target.check }]),
      ...(prepared.spender === null ? [] : [{ what: 'router' as const, check: prepared.spender }]),
    ],
    spending: null,
    contractWallet: null,
    moved: null,
    preparedAtMs: prepared.preparedAtMs,
    deadlineMs: prepared.deadlineMs,
    requestId: prepared.requestId,
    intentId: null,
    unknownFields: null,
    transaction: {
      word: wordOf(prepared),
      obstacle: transactionObstacle(prepared, 'payment'),
      steps: [],
      more: false,
    },
  }
}
