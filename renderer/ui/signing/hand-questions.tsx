import { Checkbox } from '../checkbox.tsx'
import { Field } from '../field.tsx'
import { Icon } from '../icon.tsx'
import { Input } from '../input.tsx'
import { shorten } from '../short.ts'
import type { ContractQuestion, HandDraft, HandQuestions } from './hand-confirmation.ts'
import { RouterEvidence } from './router-evidence.tsx'
import type { SigningMessage, TransactionPart } from './signing-message.ts'

interface QuestionProps {
  readonly draft: HandDraft
  readonly onChange: (draft: HandDraft) => void
}

function ContractConfirmation({ question: { what, check }, draft, onChange }: QuestionProps & { readonly question: ContractQuestion }) {
  const changed = check.state === 'changed'
  const said = draft.contracts[check.candidate] ?? ''
  const say = (words: string) => onChange({ ...draft, contracts: { ...draft.contracts, [check.candidate]: words } })
  const id = `${what === 'router' ? 'router' : 'token'}-typed`
  return (
    <section className="sign-ask" aria-label={changed ? `The ${what} changed` : `A ${what} to confirm`}>
      <h3>
        <Icon name={changed ? 'shield-x' : 'shield'} />
        {changed ? `The ${what} is not the one you pinned` : `This ${what} is not pinned yet`}
      </h3>
      <p>
        {changed
          ? 'Only go on if the exchange announced a new contract. Compare it with their announcement.'
          : what === 'router'
            ? 'It obeys what you sign. Once confirmed, it is pinned, and a message for any other one is stopped.'
            : 'It holds your USDC. Once confirmed, it is pinned, and a transaction to any other one is stopped.'}
      </p>
      <RouterEvidence router={check} what={what} />
      {changed ? (
        <Field id={id} label="Type the full new address to replace the pinned one">
          <Input id={id} mono value={said} onChange={say} placeholder="0x" />
        </Field>
      ) : (
        <Checkbox checked={said === 'yes'} onChange={(seen) => say(seen ? 'yes' : '')}>
          I know this contract. Pin it for this profile.
        </Checkbox>
      )}
    </section>
  )
}

/** What was not recognised, without the router where that is asked about by itself. */
function leftOver({ comparison, router }: SigningMessage): readonly string[] {
  const lines = comparison.lines.filter((line) => line.verdict === 'unmatched').map((line) => line.field ?? line.label)
  const asked = router !== null && router.state !== 'pinned'
  return [...new Set(comparison.unmatched.length > 0 ? comparison.unmatched : lines)].filter((name) => !(asked && name.includes('verifyingContract')))
}

/** What a transaction does, where a click is not enough for it. */
function WordConfirmation({ word, draft, onChange }: QuestionProps & { readonly word: NonNullable<TransactionPart['word']> }) {
  return (
    <section className="sign-ask" aria-label="A transaction to confirm">
      <h3>
        <Icon name="warn" />
        {word.title}
      </h3>
      <p>{word.text}</p>
      <Field
        id="word-typed"
        label={
          <>
            Type <code>{word.phrase}</code> to agree to that
          </>
        }
      >
        <Input id="word-typed" value={draft.phrase} onChange={(typed) => onChange({ ...draft, phrase: typed })} />
      </Field>
    </section>
  )
}

function layoutWords(message: SigningMessage, names: readonly string[]): string {
  const { comparison, thing } = message
  if (names.length > 0) return `Every value that is recognised equals your ${thing}. These were not recognised; look at each of them.`
  if (comparison.matched < comparison.total)
    return `Every value equals your ${thing}, and only the router is left over. Accept the form once, and it is known from then on.`
  return `Every value equals your ${thing} and nothing is left over. Accept the form once, and it is known from then on.`
}

function LayoutConfirmation({ message, phrase, draft, onChange }: QuestionProps & { readonly message: SigningMessage; readonly phrase: string }) {
  const names = leftOver(message)
  return (
    <section className="sign-ask" aria-label="A layout to confirm">
      <h3>
        <Icon name="warn" />
        {message.comparison.layoutKnown ? `The message says more than your ${message.thing}` : 'A message of this form was never signed here'}
      </h3>
      <p>{layoutWords(message, names)}</p>
      {names.length === 0 ? null : (
        <span className="names">
          {names.map((name) => (
            <code key={name} title={name}>
              {name.replace(/0x[0-9a-f]{64}/gi, (hash) => shorten(hash))}
            </code>
          ))}
        </span>
      )}
      <Field
        id="layout-typed"
        label={
          <>
            Type <code>{phrase}</code> to accept this form from now on
          </>
        }
      >
        <Input id="layout-typed" value={draft.phrase} onChange={(typed) => onChange({ ...draft, phrase: typed })} />
      </Field>
    </section>
  )
}

/** What must be confirmed by hand before the wallet may be asked. Draws nothing where nothing must. */
export function HandQuestionList({
  message,
  questions,
  draft,
  onChange,
}: QuestionProps & { readonly message: SigningMessage; readonly questions: HandQuestions }) {
  if (questions.phrase === null && questions.contracts.length === 0) return null
  return (
    <div className="sign-asks">
      {questions.phrase === null ? null : message.transaction?.word != null ? (
        <WordConfirmation word={message.transaction.word} draft={draft} onChange={onChange} />
      ) : (
        <LayoutConfirmation message={message} phrase={questions.phrase} draft={draft} onChange={onChange} />
      )}
      {questions.contracts.map((question) => (
        <ContractConfirmation key={question.check.candidate} question={question} draft={draft} onChange={onChange} />
      ))}
    </div>
  )
}
