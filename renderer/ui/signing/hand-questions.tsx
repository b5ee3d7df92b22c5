import { Checkbox } from '../checkbox.tsx'
import { Field } from '../field.tsx'
import { Icon } from '../icon.tsx'
import { Input } from '../input.tsx'
import { shorten } from '../short.ts'
import { State } from '../state.tsx'
import type { HandDraft, HandQuestions } from './hand-confirmation.ts'
import type { RouterQuestion, SigningMessage } from './signing-message.ts'

interface QuestionProps {
  readonly draft: HandDraft
  readonly onChange: (draft: HandDraft) => void
}

/** What speaks for the router, and what against it. Where nobody looked, nothing is claimed. */
function Evidence({ router }: { readonly router: RouterQuestion }) {
  const published = router.published === null ? 'off' : router.published.toLowerCase() === router.candidate.toLowerCase() ? 'ok' : 'danger'
  return (
    <ul className="evidence">
      <li className="whole">
        <span>In the message</span>
        <code>{router.candidate}</code>
      </li>
      {router.pinned === null ? null : (
        <li className="whole">
          <span>Pinned until now</span>
          <code className="old">{router.pinned}</code>
        </li>
      )}
      {router.looked ? (
        <>
          <li className={published === 'danger' ? 'whole' : undefined}>
            <State tone={published} icon={published === 'ok' ? 'check' : published === 'danger' ? 'x' : 'unknown'}>
              {published === 'ok' ? 'The service publishes the same' : published === 'danger' ? 'The service publishes another' : 'The service publishes none'}
            </State>
            {published === 'danger' && router.published !== null ? <code>{router.published}</code> : null}
          </li>
          <li>
            <State
              tone={router.hasCode === true ? 'ok' : router.hasCode === false ? 'danger' : 'off'}
              icon={router.hasCode === true ? 'check' : router.hasCode === false ? 'x' : 'unknown'}
            >
              {router.hasCode === true
                ? 'It is a contract on Base'
                : router.hasCode === false
                  ? 'There is no contract at it'
                  : 'Base could not be asked whether it is a contract'}
            </State>
          </li>
        </>
      ) : (
        <li className="whole muted">Compare it with the contract that the exchange announces.</li>
      )}
    </ul>
  )
}

function RouterConfirmation({ router, draft, onChange }: QuestionProps & { readonly router: RouterQuestion }) {
  const changed = router.state === 'changed'
  return (
    <section className="sign-ask" aria-label={changed ? 'The router changed' : 'A router to confirm'}>
      <h3>
        <Icon name={changed ? 'shield-x' : 'shield'} />
        {changed ? 'The router is not the one you pinned' : 'This router was never seen here'}
      </h3>
      <p>
        {changed
          ? 'Only go on if the exchange announced a new contract. Compare it with their announcement.'
          : 'It obeys what you sign. Once confirmed, it is pinned, and any other one stops an order.'}
      </p>
      <Evidence router={router} />
      {changed ? (
        <Field id="router-typed" label="Type the full new address to replace the pinned one">
          <Input id="router-typed" mono value={draft.router} onChange={(typed) => onChange({ ...draft, router: typed })} placeholder="0x" />
        </Field>
      ) : (
        <Checkbox checked={draft.routerSeen} onChange={(routerSeen) => onChange({ ...draft, routerSeen })}>
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
  if (questions.phrase === null && questions.router === 'none') return null
  return (
    <div className="sign-asks">
      {questions.phrase !== null ? <LayoutConfirmation message={message} phrase={questions.phrase} draft={draft} onChange={onChange} /> : null}
      {questions.router === 'none' || message.router === null ? null : <RouterConfirmation router={message.router} draft={draft} onChange={onChange} />}
    </div>
  )
}
