import { useState } from 'react'
import type { ImportRead, KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { minute } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCall, useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Chip, ScopeChips } from '../../../kit/chip.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note, type NoteTone } from '../../../kit/layout/note.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import { roveOnKey } from '../../../kit/roving.ts'
import textStyles from '../../../kit/text.module.css'
import { CountdownRing } from '../../../kit/time/countdown-ring.tsx'
import { Time, useNow } from '../../../kit/time/time.tsx'
import { CodeId } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import partsStyles from '../../../parts/parts.module.css'
import styles from '../keys.module.css'

/** For how long main keeps what it read. */
const keptMs = 5 * minute

function Sources({ busy, onRead }: { readonly busy: 'clipboard' | 'file' | null; readonly onRead: (source: 'clipboard' | 'file') => void }) {
  return (
    <div className={styles.importFrom}>
      {(
        [
          { source: 'clipboard', icon: 'copy', name: 'From the clipboard', detail: 'It is cleared once the key is stored' },
          { source: 'file', icon: 'file', name: 'From a file', detail: 'An .env file, or one with the key alone' },
        ] as const
      ).map(({ source, icon, name, detail }) => (
        <button
          key={source}
          type="button"
          className={styles.preset}
          aria-busy={busy === source || undefined}
          disabled={busy !== null}
          onClick={() => onRead(source)}
        >
          <Icon name={icon} />
          <b className={textStyles.name}>{name}</b>
          <small>{busy === source ? 'Reading, then one call with it' : detail}</small>
        </button>
      ))}
    </div>
  )
}

/** Takes the secret of a key that exists into the keychain. Main reads and tries it; this window never has it. */
export function ImportSheet({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const toast = useToast()
  const call = useDeskCall()
  const read = useDeskCommand('keys.importRead')
  const pick = useDeskCommand('keys.importPick')
  const store = useDeskCommand('keys.importStore')
  const [found, setFound] = useState<ImportRead | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const now = useNow(1_000)
  const held = found?.state === 'several' || found?.state === 'read' ? found : null
  const over = held !== null && now >= held.expiresAtMs
  const failed = read.error ?? pick.error ?? store.error

  const forget = () => {
    if (held !== null) void call('keys.importLeave', { importId: held.importId })
  }
  const take = (next: ImportRead) => {
    const only = next.state === 'read' && next.evidence !== 'none' ? next.candidates[0] : undefined
    // Without evidence nothing is chosen for the user.
    setChosen(only?.id ?? null)
    setFound(next)
  }
  const again = () => {
    forget()
    for (const one of [read, pick, store]) one.reset()
    setFound(null)
  }
  const close = () => {
    forget()
    onClose()
  }
  const onStore = () => {
    if (held === null || chosen === null) return
    store.mutate(
      { importId: held.importId, keyId: chosen },
      {
        onSuccess: ({ key, clipboard }) => {
          const after = clipboard === 'cleared' ? ' The clipboard was cleared.' : clipboard === 'changed' ? ' The clipboard holds something else by now.' : ''
          toast({
            tone: key.secret === 'memory' ? 'warn' : 'ok',
            title: `${key.label} is imported`,
            text: key.secret === 'memory' ? 'The keychain did not take it. It is kept for this run only.' : `In the keychain, read back.${after}`,
            action: null,
          })
          navigate(`keys/${key.id}`)
        },
      },
    )
  }
  const storable = found?.state === 'read' && found.verdict !== 'dead' && found.verdict !== 'other_wallet' && found.candidates.length > 0
  const label = found?.state === 'read' ? found.candidates.find(({ id }) => id === chosen)?.label : undefined
  return (
    <Sheet
      title="Import a key"
      lead="Its secret goes into the keychain of this computer."
      icon="download"
      onClose={close}
      end={held === null || over ? undefined : <CountdownRing untilMs={held.expiresAtMs} totalMs={keptMs} />}
      className={styles.importSheet}
    >
      <div className={overlayStyles.sheetBody}>
        {found === null || found.state === 'cancelled' || found.state === 'nothing_found' ? (
          <>
            {found?.state === 'nothing_found' ? (
              <Note tone="warn" live title={found.from === null ? 'No key stands in the clipboard.' : `No key stands in ${found.from}.`}>
                Nothing there begins as a key of this exchange does, with <code>SVC</code>.
              </Note>
            ) : null}
            <Sources busy={read.isPending ? (read.variables?.source ?? null) : null} onRead={(source) => read.mutate({ source }, { onSuccess: take })} />
          </>
        ) : over ? (
          <Note tone="warn" live title="Its five minutes are over.">
            The secret was forgotten; nothing was stored. Read it again.
          </Note>
        ) : found.state === 'several' ? (
          <ImportEntries found={found} busy={pick.isPending} onPick={(entry) => pick.mutate({ importId: found.importId, entry }, { onSuccess: take })} />
        ) : (
          <ImportVerdict found={found} chosen={chosen} onChoose={setChosen} />
        )}
        {failed === null ? null : (
          <FailureNote
            failure={failureOf(failed)}
            actions={
              failureOf(failed).kind === 'sign_in_required' ? (
                <Button size="xs" icon="user" onClick={() => navigate('sign-in')}>
                  Sign in
                </Button>
              ) : undefined
            }
          />
        )}
        <p className={controlsStyles.help}>
          <Icon name="info" />
          <span>This window never sees it. One reading call with it tells whether it works.</span>
        </p>
      </div>
      <SheetFoot>
        <Button onClick={close} kbd={['Esc']}>
          Cancel
        </Button>
        {held === null ? null : (
          <Button icon="undo" onClick={again}>
            Read another
          </Button>
        )}
        {storable && !over ? (
          <Button variant="primary" icon="lock" disabled={chosen === null} busy={store.isPending} onClick={onStore}>
            {label === undefined ? 'Store it' : `Store it as ${label}`}
          </Button>
        ) : null}
      </SheetFoot>
    </Sheet>
  )
}

type Several = Extract<ImportRead, { state: 'several' }>
type Read = Extract<ImportRead, { state: 'read' }>

/** A file with more than one key: which of them is meant. */
function ImportEntries({ found, busy, onPick }: { readonly found: Several; readonly busy: boolean; readonly onPick: (entry: number) => void }) {
  return (
    <section aria-label="Keys in the file">
      <h3>
        {found.from ?? 'It'} holds {found.entries.length} keys. Which one?
      </h3>
      <ul className={styles.importList}>
        {found.entries.map(({ entry, name, line }) => (
          <li key={entry}>
            <span>
              {name === null ? <span className={textStyles.muted}>Without a name</span> : <code>{name}</code>}
              <span className={textStyles.muted}>line {line}</span>
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
    <button type="button" role="radio" aria-checked={chosen} aria-label={`${entry.label}, ${entry.id}`} className={styles.importKey} onClick={onChoose}>
      <span className={controlsStyles.radio} aria-hidden="true" data-on={chosen || undefined} />
      <span>
        <b className={textStyles.name}>{entry.label}</b>
        {entry.label === entry.id ? null : <CodeId id={entry.id} />}
      </span>
      {entry.scopes === null ? null : <ScopeChips scopes={entry.scopes} />}
      <span className={textStyles.muted}>
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
function ImportVerdict({ found, chosen, onChoose }: VerdictProps) {
  const { tone, title, text } = verdicts[found.verdict]
  const unusable = found.verdict === 'dead' || found.verdict === 'other_wallet'
  const known = found.evidence === 'none' ? null : found.candidates[0]
  return (
    <>
      <Note tone={tone} live title={title}>
        {text}
        {found.requestId === null || tone === 'ok' ? null : (
          <span className={partsStyles.requestId}>
            <span>Request</span>
            <code>{found.requestId}</code>
            <CopyButton text={found.requestId} what="request id" />
          </span>
        )}
      </Note>
      {unusable ? null : known != null && found.evidence !== 'none' ? (
        <section aria-label="The key it is of">
          <h3>It is the secret of</h3>
          <div className={styles.importKnown}>
            <b className={textStyles.name}>{known.label}</b>
            <code>{known.id}</code>
            {known.secret === 'keychain' ? <Chip>Here already</Chip> : null}
            <p className={textStyles.muted}>{evidences[found.evidence]}</p>
          </div>
        </section>
      ) : found.candidates.length === 0 ? (
        <Note tone="warn" title="No key of yours fits it.">
          Every active key has its secret here already, or the service lists none.
        </Note>
      ) : (
        <section aria-label="Keys it may be of">
          <h3>Which key is it of?</h3>
          <p className={textStyles.secondary}>The service does not say. Choose the one that you know it is; a wrong choice puts it under another key’s name.</p>
          <div
            className={styles.importKeys}
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
