import { useState } from 'react'
import type { ImportRead, KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { minute } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCall, useIpcCommand } from '../../../ipc/use-ipc.ts'
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
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from '../keys.module.css'

/** How long the main process keeps a secret that was read for an import, until the user stores it. */
const keptMs = 5 * minute

function Sources({ busy, onRead }: { readonly busy: 'clipboard' | 'file' | null; readonly onRead: (source: 'clipboard' | 'file') => void }) {
  return (
    <div className={styles.importFrom}>
      {(
        [
          { source: 'clipboard', icon: 'copy', name: keysText.fromTheClipboard, detail: keysText.clipboardClearedOnceStored },
          { source: 'file', icon: 'file', name: keysText.fromAFile, detail: keysText.importFileKinds },
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
          <small>{busy === source ? keysText.readingAndTesting : detail}</small>
        </button>
      ))}
    </div>
  )
}

/** Imports the secret of an existing key into the keychain. Main reads and tests the secret, which never reaches this window. */
export function ImportSheet({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const toast = useToast()
  const call = useIpcCall()
  const read = useIpcCommand('keys.importRead')
  const pick = useIpcCommand('keys.importPick')
  const store = useIpcCommand('keys.importStore')
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
    // Without evidence of which key the secret belongs to, select no key in advance.
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
          const stored =
            clipboard === 'cleared' ? keysText.storedClipboardCleared : clipboard === 'changed' ? keysText.storedClipboardChanged : keysText.storedAndVerified
          toast({
            tone: key.secret === 'memory' ? 'warn' : 'ok',
            title: keysText.imported(key.label),
            text: key.secret === 'memory' ? keysText.keychainRefusedUntilQuit : stored,
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
      title={keysText.importKey}
      lead={keysText.importLead}
      icon="download"
      onClose={close}
      end={held === null || over ? undefined : <CountdownRing untilMs={held.expiresAtMs} totalMs={keptMs} />}
      className={styles.importSheet}
    >
      <div className={overlayStyles.sheetBody}>
        {found === null || found.state === 'cancelled' || found.state === 'nothing_found' ? (
          <>
            {found?.state === 'nothing_found' ? (
              <Note tone="warn" live title={found.from === null ? keysText.noKeyInClipboard : keysText.noKeyInFile(found.from)}>
                {keysText.keyPrefixHint(<code>SVC</code>)}
              </Note>
            ) : null}
            <Sources busy={read.isPending ? (read.variables?.source ?? null) : null} onRead={(source) => read.mutate({ source }, { onSuccess: take })} />
          </>
        ) : over ? (
          <Note tone="warn" live title={keysText.importTimedOut}>
            {keysText.importDiscarded}
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
                  {keysText.signIn}
                </Button>
              ) : undefined
            }
          />
        )}
        <p className={controlsStyles.help}>
          <Icon name="info" />
          <span>{keysText.importSafety}</span>
        </p>
      </div>
      <SheetFoot>
        <Button onClick={close} kbd={[keysText.esc]}>
          {keysText.cancel}
        </Button>
        {held === null ? null : (
          <Button icon="undo" onClick={again}>
            {keysText.readAnother}
          </Button>
        )}
        {storable && !over ? (
          <Button variant="primary" icon="lock" disabled={chosen === null} busy={store.isPending} onClick={onStore}>
            {label === undefined ? keysText.storeSecret : keysText.storeSecretAs(label)}
          </Button>
        ) : null}
      </SheetFoot>
    </Sheet>
  )
}

type Several = Extract<ImportRead, { state: 'several' }>
type Read = Extract<ImportRead, { state: 'read' }>

function ImportEntries({ found, busy, onPick }: { readonly found: Several; readonly busy: boolean; readonly onPick: (entry: number) => void }) {
  return (
    <section aria-label={keysText.keysInTheFile}>
      <h3>{found.from === null ? keysText.clipboardHasKeys(found.entries.length) : keysText.fileHasKeys(found.from, found.entries.length)}</h3>
      <ul className={styles.importList}>
        {found.entries.map(({ entry, name, line }) => (
          <li key={entry}>
            <span>
              {name === null ? <span className={textStyles.muted}>{keysText.unnamed}</span> : <code>{name}</code>}
              <span className={textStyles.muted}>{keysText.lineNumber(line)}</span>
            </span>
            <Button size="xs" busy={busy} onClick={() => onPick(entry)}>
              {keysText.useThisOne}
              <span className={textStyles.screenReaderOnly}> {name === null ? keysText.lineNumber(line) : keysText.nameAndLine(name, line)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const verdicts: Readonly<Record<Read['verdict'], { readonly tone: NoteTone; readonly title: string; readonly text: string }>> = {
  works: { tone: 'ok', title: keysText.secretWorks, text: keysText.secretWorksDetail },
  dead: { tone: 'danger', title: keysText.secretRejected, text: keysText.secretRejectedDetail },
  address: {
    tone: 'warn',
    title: keysText.addressNotAllowed,
    text: keysText.addressNotAllowedDetail,
  },
  other_wallet: { tone: 'danger', title: keysText.otherWalletsKey, text: keysText.otherWalletsKeyDetail },
  cannot_tell: { tone: 'warn', title: keysText.secretNotTested, text: keysText.secretNotTestedDetail },
}

const evidences: Readonly<Record<Exclude<Read['evidence'], 'none'>, string>> = {
  audit: keysText.evidenceAudit,
  last_used: keysText.evidenceLastUsed,
  held: keysText.evidenceStored,
}

function Candidate({ entry, chosen, onChoose }: { readonly entry: KeySummary; readonly chosen: boolean; readonly onChoose: () => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row with facts of its own, which a native radio cannot hold
    <button type="button" role="radio" aria-checked={chosen} className={styles.importKey} onClick={onChoose}>
      <span className={controlsStyles.radio} aria-hidden="true" data-on={chosen || undefined} />
      <span>
        <b className={textStyles.name}>{entry.label}</b>
        {entry.label === entry.id ? null : <CodeId id={entry.id} />}
      </span>
      {entry.scopes === null ? null : <ScopeChips scopes={entry.scopes} />}
      <span className={textStyles.muted}>
        {entry.neverUsed === true ? keysText.neverUsed : entry.lastUsedAtMs === null ? null : keysText.usedAt(<Time ms={entry.lastUsedAtMs} />)}
      </span>
    </button>
  )
}

interface VerdictProps {
  readonly found: Read
  readonly chosen: string | null
  readonly onChoose: (keyId: string) => void
}

/**
 * Shows the result of testing the imported secret, and the key that the secret belongs to. If nothing proves which key it is, the user chooses the
 * key.
 */
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
            <span>{keysText.request}</span>
            <code>{found.requestId}</code>
            <CopyButton text={found.requestId} what={keysText.requestId} />
          </span>
        )}
      </Note>
      {unusable ? null : known != null && found.evidence !== 'none' ? (
        <section aria-label={keysText.keyOfSecret}>
          <h3>{keysText.secretOf}</h3>
          <div className={styles.importKnown}>
            <b className={textStyles.name}>{known.label}</b>
            <code>{known.id}</code>
            {known.secret === 'keychain' ? <Chip>{keysText.hereAlready}</Chip> : null}
            <p className={textStyles.muted}>{evidences[found.evidence]}</p>
          </div>
        </section>
      ) : found.candidates.length === 0 ? (
        <Note tone="warn" title={keysText.noCandidate}>
          {keysText.noCandidateDetail}
        </Note>
      ) : (
        <section aria-label={keysText.possibleKeys}>
          <h3>{keysText.whichKey}</h3>
          <p className={textStyles.secondary}>{keysText.whichKeyDetail}</p>
          <div
            className={styles.importKeys}
            role="radiogroup"
            aria-label={keysText.possibleKeys}
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
