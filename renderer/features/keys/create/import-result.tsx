import type { ImportRead, KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { Button } from '../../../kit/button.tsx'
import { Chip, ScopeChips } from '../../../kit/chip.tsx'
import { CodeId } from '../../../kit/code-id.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { Note, type NoteTone } from '../../../kit/layout/note.tsx'
import { roveOnKey } from '../../../kit/roving.ts'
import { Time } from '../../../kit/time/time.tsx'

type Several = Extract<ImportRead, { state: 'several' }>
type Read = Extract<ImportRead, { state: 'read' }>

/** A file with more than one key: which of them is meant. */
export function ImportEntries({ found, busy, onPick }: { readonly found: Several; readonly busy: boolean; readonly onPick: (entry: number) => void }) {
  return (
    <section aria-label="Keys in the file">
      <h3>
        {found.from ?? 'It'} holds {found.entries.length} keys. Which one?
      </h3>
      <ul className="imp-list">
        {found.entries.map(({ entry, name, line }) => (
          <li key={entry}>
            <span>
              {name === null ? <span className="muted">Without a name</span> : <code>{name}</code>}
              <span className="muted">line {line}</span>
            </span>
            <Button size="xs" busy={busy} onClick={() => onPick(entry)} aria-label={`Take ${name ?? 'the key'}, line ${line}`}>
              Take this one
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const verdicts: Readonly<Record<Read['verdict'], { readonly tone: NoteTone; readonly title: string; readonly text: string }>> = {
  works: { tone: 'ok', title: 'It works.', text: 'A reading call with it was answered.' },
  dead: { tone: 'danger', title: 'The service does not take it.', text: 'It was rotated away, revoked or has ended. There is nothing to store.' },
  address: {
    tone: 'warn',
    title: 'It exists, and may not be used from here.',
    text: 'Its allowlist does not name this computer. It can be stored and handed to a bot; this app cannot use it.',
  },
  other_wallet: { tone: 'danger', title: 'It is another wallet’s.', text: 'Connect that wallet, sign in, and read it again.' },
  cannot_tell: { tone: 'warn', title: 'It could not be tried.', text: 'The service gave no answer that tells. Store it only if you are sure of it.' },
}

const evidences: Readonly<Record<Exclude<Read['evidence'], 'none'>, string>> = {
  audit: 'The service’s log names it beside the trial call.',
  last_used: 'Only its last use moved with two trial calls.',
  held: 'The same secret is on this computer already.',
}

function Candidate({ entry, chosen, onChoose }: { readonly entry: KeySummary; readonly chosen: boolean; readonly onChoose: () => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row with facts of its own, which a native radio cannot hold
    <button type="button" role="radio" aria-checked={chosen} aria-label={`${entry.label}, ${entry.id}`} className="imp-key" onClick={onChoose}>
      <span className="radio" aria-hidden="true" data-on={chosen || undefined} />
      <span>
        <b className="name">{entry.label}</b>
        {entry.label === entry.id ? null : <CodeId id={entry.id} />}
      </span>
      {entry.scopes === null ? null : <ScopeChips scopes={entry.scopes} />}
      <span className="muted">
        {entry.lastUsedAtMs === null ? (
          'never used'
        ) : (
          <>
            used <Time ms={entry.lastUsedAtMs} />
          </>
        )}
      </span>
    </button>
  )
}

interface VerdictProps {
  readonly found: Read
  readonly chosen: string | null
  readonly onChoose: (keyId: string) => void
}

/** What the trial said of the secret, and which key it is of: by evidence, or by the user's word. */
export function ImportVerdict({ found, chosen, onChoose }: VerdictProps) {
  const { tone, title, text } = verdicts[found.verdict]
  const unusable = found.verdict === 'dead' || found.verdict === 'other_wallet'
  const known = found.evidence === 'none' ? null : found.candidates[0]
  return (
    <>
      <Note tone={tone} live title={title}>
        {text}
        {found.requestId === null || tone === 'ok' ? null : (
          <span className="rid">
            <span>Request</span>
            <code>{found.requestId}</code>
            <CopyButton text={found.requestId} what="request id" />
          </span>
        )}
      </Note>
      {unusable ? null : known != null && found.evidence !== 'none' ? (
        <section aria-label="The key it is of">
          <h3>It is the secret of</h3>
          <div className="imp-known">
            <b className="name">{known.label}</b>
            <code>{known.id}</code>
            {known.secret === 'keychain' ? <Chip>Here already</Chip> : null}
            <p className="muted">{evidences[found.evidence]}</p>
          </div>
        </section>
      ) : found.candidates.length === 0 ? (
        <Note tone="warn" title="No key of yours fits it.">
          Every active key has its secret here already, or the service lists none.
        </Note>
      ) : (
        <section aria-label="Keys it may be of">
          <h3>Which key is it of?</h3>
          <p className="t2">The service does not say. Choose the one that you know it is; a wrong choice puts it under another key’s name.</p>
          <div
            className="imp-keys"
            role="radiogroup"
            aria-label="Keys it may be of"
            tabIndex={-1}
            onKeyDown={(event) => roveOnKey(event, '[role=radio]', false)}
          >
            {found.candidates.map((entry) => (
              <Candidate key={entry.id} entry={entry} chosen={entry.id === chosen} onChoose={() => onChoose(entry.id)} />
            ))}
          </div>
        </section>
      )}
    </>
  )
}
