import type { Asks } from '../../../shared/ipc/intents/signing.ts'
import { isPhrase, phraseOf } from '../../../shared/phrases.ts'
import { lineValueText, openTexts } from '../../../shared/text/comparison-text.ts'
import { Checkbox } from '../../kit/checkbox.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { Field, Input } from '../../kit/input.tsx'
import { VisibleText } from '../../kit/visible-text.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import { RouterEvidence } from './router-evidence.tsx'
import styles from './signing.module.css'
import type { ContractCheck, HandConfirmation, SigningMessage, TransactionPart } from './signing-message.ts'

interface QuestionProps {
  readonly draft: HandDraft
  readonly onChange: (draft: HandDraft) => void
}

function ContractConfirmation({ question: { what, check }, draft, onChange }: QuestionProps & { readonly question: ContractCheck }) {
  const changed = check.state === 'changed'
  const said = draft.contracts[check.candidate] ?? ''
  const say = (words: string) => onChange({ ...draft, contracts: { ...draft.contracts, [check.candidate]: words } })
  const id = `${what === 'router' ? 'router' : 'token'}-typed`
  return (
    <section className={styles.signingAsk} aria-label={changed ? signingText.contractChanged(what) : signingText.contractToConfirm(what)}>
      <h3>
        <Icon name={changed ? 'shield-x' : 'shield'} />
        {changed ? signingText.contractNotTheTrusted(what) : signingText.contractNotTrustedYet(what)}
      </h3>
      <p>{changed ? signingText.contractChangedHelp : what === 'router' ? signingText.routerHelp : signingText.tokenHelp}</p>
      <RouterEvidence router={check} what={what} />
      {changed ? (
        <Field id={id} label={signingText.typeNewAddress}>
          <Input id={id} mono value={said} onChange={say} placeholder="0x" />
        </Field>
      ) : (
        <Checkbox checked={said === 'yes'} onChange={(seen) => say(seen ? 'yes' : '')}>
          {signingText.trustContract}
        </Checkbox>
      )}
    </section>
  )
}

/** Returns the parts of the message that the app did not recognise. Leaves out contracts, because each contract has its own question. */
function leftOver({ comparison }: SigningMessage, { contracts }: HandQuestions): readonly string[] {
  const open = comparison.lines.filter((line) => line.verdict === 'unmatched')
  const asked = contracts.length === 0 ? [] : open.filter(({ code }) => code === 'not_pinned')
  return [...new Set(openTexts({ ...comparison, lines: comparison.lines.filter((line) => !asked.includes(line)) }))]
}

function WordConfirmation({ word, draft, onChange }: QuestionProps & { readonly word: NonNullable<TransactionPart['word']> }) {
  return (
    <section className={styles.signingAsk} aria-label={signingText.transactionToConfirm}>
      <h3>
        <Icon name="warn" />
        {word.title}
      </h3>
      <p>{word.text}</p>
      <Field id="word-typed" label={signingText.typeToAgree(<code>{word.phrase}</code>)}>
        <Input id="word-typed" value={draft.phrase} onChange={(typed) => onChange({ ...draft, phrase: typed })} />
      </Field>
    </section>
  )
}

function formatWords(message: SigningMessage, names: readonly string[]): string {
  const { comparison, subject } = message
  if (comparison.asks?.kind === 'format' && comparison.asks.complete) return signingText.formatComplete(subject)
  return names.length > 0 ? signingText.formatUnrecognised(subject) : signingText.formatOnlyContract(subject)
}

/** Asks the user to confirm a single field of the message. The user must type a phrase that contains the field's name, so habit is not enough. */
function FieldConfirmation({
  asks,
  subject,
  phrase,
  draft,
  onChange,
}: QuestionProps & {
  readonly asks: Extract<Asks, { readonly kind: 'unknown_field' | 'exit_extra' }>
  readonly subject: SigningMessage['subject']
  readonly phrase: string
}) {
  const { title, text } = fieldText(asks, subject)
  return (
    <section className={cx(styles.signingAsk, styles.isUnasked)} aria-label={signingText.fieldToConfirm}>
      <h3>
        <Icon name="shield-x" />
        {title}
      </h3>
      <p>
        <VisibleText text={text} />
      </p>
      <Field id="field-typed" label={signingText.typeToSignAnyway(<code>{phrase}</code>)}>
        <Input id="field-typed" value={draft.phrase} onChange={(typed) => onChange({ ...draft, phrase: typed })} />
      </Field>
    </section>
  )
}

function FormatConfirmation({
  message,
  questions,
  phrase,
  draft,
  onChange,
}: QuestionProps & { readonly message: SigningMessage; readonly questions: HandQuestions; readonly phrase: string }) {
  const names = leftOver(message, questions)
  return (
    <section className={styles.signingAsk} aria-label={signingText.formatToConfirm}>
      <h3>
        <Icon name="warn" />
        {message.comparison.formatKnown ? signingText.messageSaysMore(message.subject) : signingText.formatNeverSigned}
      </h3>
      <p>{formatWords(message, names)}</p>
      {names.length === 0 ? null : (
        <span className={styles.names}>
          {names.map((name) => (
            <code key={name}>{name}</code>
          ))}
        </span>
      )}
      {isAcceptedBySending(questions) ? null : (
        <Field id="layout-typed" label={signingText.typeToAcceptFormat(<code>{phrase}</code>)}>
          <Input id="layout-typed" value={draft.phrase} onChange={(typed) => onChange({ ...draft, phrase: typed })} />
        </Field>
      )}
    </section>
  )
}

/** Lists what the user must confirm by hand before the app sends the request to the wallet. Renders nothing if there is nothing to confirm. */
export function HandQuestionList({
  message,
  questions,
  draft,
  onChange,
}: QuestionProps & { readonly message: SigningMessage; readonly questions: HandQuestions }) {
  if (questions.phrase === null && questions.contracts.length === 0) return null
  return (
    <div className={styles.signingAsks}>
      {questions.phrase === null ? null : message.transaction?.word != null ? (
        <WordConfirmation word={message.transaction.word} draft={draft} onChange={onChange} />
      ) : questions.asks?.kind === 'unknown_field' || questions.asks?.kind === 'exit_extra' ? (
        <FieldConfirmation asks={questions.asks} subject={message.subject} phrase={questions.phrase} draft={draft} onChange={onChange} />
      ) : (
        <FormatConfirmation message={message} questions={questions} phrase={questions.phrase} draft={draft} onChange={onChange} />
      )}
      {questions.contracts.map((question) => (
        <ContractConfirmation key={question.check.candidate} question={question} draft={draft} onChange={onChange} />
      ))}
    </div>
  )
}

type AsksTextField = Extract<Asks, { readonly kind: 'unknown_field' | 'exit_extra' }>

/** The title and text of the question about one unexpected or missing field of the message. Ordinary orders never need this question. */
function fieldText(asks: AsksTextField, subject: SigningMessage['subject']): { readonly title: string; readonly text: string } {
  if (asks.value === null)
    return {
      title: signingText.fieldMissing(asks.field),
      text: signingText.fieldMissingHelp(subject),
    }
  return asks.kind === 'exit_extra'
    ? { title: signingText.messageDoesMore(subject), text: signingText.extraFieldOfExit(lineValueText(asks.value), asks.field) }
    : { title: signingText.messageCarriesExtra, text: signingText.extraField(lineValueText(asks.value), asks.field) }
}

interface HandDraft {
  readonly phrase: string
  /** The user's answers, keyed by contract address: "yes" once the contract is ticked, or the address that the user typed. */
  readonly contracts: Readonly<Record<string, string>>
}

export const emptyHand: HandDraft = { phrase: '', contracts: {} }

export interface HandQuestions {
  /** The main process's question about the message itself; `null` if it has none. */
  readonly asks: Asks | null
  /** The phrase that accepts a new signing format or a transaction's effect; `null` if none is needed. */
  readonly phrase: string | null
  /** The contracts that are not trusted yet. `new`: the user must tick a box. `changed`: the user must type the full address. */
  readonly contracts: readonly ContractCheck[]
}

export const handQuestions = ({ comparison, contracts, transaction }: Pick<SigningMessage, 'comparison' | 'contracts' | 'transaction'>): HandQuestions => ({
  asks: comparison.asks,
  phrase: comparison.verdict === 'confirm' ? (transaction?.word?.phrase ?? (comparison.asks === null ? null : phraseOf(comparison.asks))) : null,
  contracts: contracts.filter(({ check }) => check.state !== 'pinned'),
})

/** Whether pressing Send is enough to accept a new signing format: the app recognises every value of the message, and each value is as requested. */
export const isAcceptedBySending = ({ asks, phrase }: HandQuestions): boolean => asks?.kind === 'format' && asks.complete && phrase === phraseOf(asks)

const sameAddress = (a: string, b: string): boolean => a.trim().toLowerCase() === b.toLowerCase()

/** Whether the user may press "Send to wallet": every confirmation question is answered. */
export function mayAsk(questions: HandQuestions, draft: HandDraft): boolean {
  if (questions.phrase !== null && !isAcceptedBySending(questions) && !isPhrase(draft.phrase, questions.phrase)) return false
  return questions.contracts.every(({ check: { state, candidate } }) => {
    const said = draft.contracts[candidate] ?? ''
    return state === 'new' ? said === 'yes' : sameAddress(said, candidate)
  })
}

/**
 * Returns what the user confirmed, as main expects it. If all contracts are new, the confirmation is "yes". If any contract changed, it lists all
 * contract addresses: the changed ones as the user typed them, the new ones as main sent them.
 */
export function handConfirmation(questions: HandQuestions, draft: HandDraft): HandConfirmation {
  const changed = questions.contracts.some(({ check }) => check.state === 'changed')
  const words = questions.contracts.map(({ check: { state, candidate } }) =>
    state === 'changed' ? (draft.contracts[candidate] ?? '').trim() : changed ? candidate : 'yes',
  )
  return {
    typedPhrase: questions.phrase === null || isAcceptedBySending(questions) ? questions.phrase : draft.phrase.trim(),
    typedRouter: words.length === 0 ? null : [...new Set(words)].join(' '),
  }
}
