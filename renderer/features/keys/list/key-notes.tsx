import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { KeySummary, UnmatchedKey } from '../../../../shared/ipc/keys/keys.ts'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Panel } from '../../../kit/layout/panel.tsx'
import { State } from '../../../kit/layout/state.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { CodeId } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { sheetPlace } from '../key-view.ts'
import styles from '../keys.module.css'
import { progressWords } from '../replace/replace-track.tsx'
import { wantsUser } from '../replace/replacement-track.ts'

const oldSecretWords: Readonly<Record<NonNullable<UnmatchedKey['oldSecret']>, string>> = {
  works: keysText.oldSecretWorks,
  dead: keysText.oldSecretDead,
  cannot_tell: keysText.oldSecretUnclear,
}

function UnmatchedNote({ unmatched }: { readonly unmatched: UnmatchedKey }) {
  const resolve = useIpcCommand('keys.resolveUnmatched')
  const best = unmatched.candidates[0] ?? null
  const act = (action: 'rotate' | 'revoke' | 'dismiss', keyId: string | null) => resolve.mutate({ operationId: unmatched.operationId, keyId, action })
  const created = unmatched.kind === 'create'
  return (
    <>
      <Note
        tone="warn"
        icon="unknown"
        title={created ? keysText.creationLost(unmatched.label) : keysText.rotationLost(unmatched.label)}
        end={
          <span className={styles.actions}>
            {best === null || unmatched.ambiguous ? null : (
              <>
                <Button size="xs" icon="rotate" busy={resolve.isPending} onClick={() => act('rotate', best.id)}>
                  {keysText.rotate}
                </Button>
                <Button size="xs" variant="danger" onClick={() => act('revoke', best.id)}>
                  {keysText.revoke}
                </Button>
              </>
            )}
            <Button size="xs" variant="ghost" onClick={() => act('dismiss', null)}>
              {keysText.dismiss}
            </Button>
          </span>
        }
      >
        <p>
          {created
            ? best === null
              ? unmatched.incomplete
                ? keysText.createdUnclear
                : keysText.createdNone
              : unmatched.ambiguous
                ? unmatched.incomplete
                  ? keysText.createdAny
                  : keysText.createdSeveral
                : keysText.createdAs(best.id)
            : unmatched.oldSecret === null
              ? keysText.oldSecretTesting
              : oldSecretWords[unmatched.oldSecret]}{' '}
          <span className={textStyles.muted}>
            <Time ms={unmatched.startedAtMs} />
          </span>
        </p>
        {unmatched.ambiguous ? (
          <ul className={styles.candidates}>
            {unmatched.candidates.map((candidate) => (
              <li key={candidate.id}>
                <b className={textStyles.name}>{candidate.label}</b>
                <CodeId id={candidate.id} />
                <span className={textStyles.muted}>{keysText.createdAt(<Time ms={candidate.createdAtMs} />)}</span>
                <Button size="xs" icon="rotate" onClick={() => act('rotate', candidate.id)}>
                  {keysText.rotateThisKey}
                </Button>
              </li>
            ))}
          </ul>
        ) : null}
      </Note>
      {resolve.error === null ? null : <FailureNote failure={failureOf(resolve.error)} />}
    </>
  )
}

interface KeyNotesProps {
  readonly unmatched: readonly UnmatchedKey[]
  readonly replacements: readonly Replacement[]
  readonly keys: readonly KeySummary[]
  readonly storing: boolean
  readonly storeFailure: Failure | null
  readonly onStore: (key: KeySummary) => void
}

/** Notes about keys that need the user: lost responses, secrets outside the keychain, and running replacements. */
export function KeyNotes({ unmatched, replacements, keys, storing, storeFailure, onStore }: KeyNotesProps) {
  const unstored = keys.filter((key) => key.secret === 'memory' && key.status !== 'revoked')
  if (unmatched.length === 0 && unstored.length === 0 && !replacements.some(wantsUser)) return null
  return (
    <div className={styles.keyNotes}>
      {unmatched.map((unmatched) => (
        <UnmatchedNote key={unmatched.operationId} unmatched={unmatched} />
      ))}
      {unstored.map((key) => (
        <Note
          key={key.id}
          tone="warn"
          icon="hourglass"
          title={keysText.secretInMemory(key.label)}
          end={
            <Button size="xs" icon="lock" busy={storing} onClick={() => onStore(key)}>
              {keysText.storeSecretNow}
            </Button>
          }
        >
          {keysText.keychainRefusedLostOnQuit}
        </Note>
      ))}
      <ReplacementNotes replacements={replacements} />
      {storeFailure === null ? null : <FailureNote failure={storeFailure} />}
    </div>
  )
}

/** A bar with counts: how many keys have their secret in the keychain, in memory or elsewhere. */
export function SecretPlaces({ keys, keychain }: { readonly keys: readonly KeySummary[]; readonly keychain: 'ready' | 'locked' | 'unavailable' | 'unknown' }) {
  const live = keys.filter(isLiveKey)
  const count = (place: KeySummary['secret']) => live.filter((key) => key.secret === place).length
  const places = [
    { name: keysText.systemKeychain, count: count('keychain'), className: '' },
    { name: keysText.memoryUntilQuit, count: count('memory'), className: styles.run },
    { name: keysText.storedElsewhere, count: count('elsewhere'), className: styles.no },
  ]
  const words = { ready: keysText.keychainUnlocked, locked: keysText.keychainLocked, unavailable: keysText.noKeychain, unknown: keysText.keychainNotTested }
  return (
    <Panel
      title={keysText.secretPlaces}
      end={
        <State tone={keychain === 'ready' ? 'ok' : keychain === 'unknown' ? 'off' : 'warn'} icon="lock">
          {words[keychain]}
        </State>
      }
    >
      <div className={styles.keyWhere}>
        <div className={styles.keyWhereBar} aria-hidden="true">
          {places.map((place) => (place.count === 0 ? null : <i key={place.name} className={place.className} style={{ flexGrow: place.count }} />))}
        </div>
        <dl className={panelStyles.rows}>
          {places.map((place) => (
            <div key={place.name}>
              <dt>
                <i className={cx(styles.swatch, place.className)} />
                {place.name}
              </dt>
              <dd>
                <b>{place.count}</b>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  )
}

/** Replacements that are due, under way or stuck. Each has a link to its sheet. */
function ReplacementNotes({ replacements }: { readonly replacements: readonly Replacement[] }) {
  const navigate = useNavigate()
  return replacements.filter(wantsUser).map((replacement) => {
    const { title, text } = progressWords(replacement)
    return (
      <Note
        key={replacement.id}
        tone={replacement.now.state === 'stuck' ? 'warn' : 'accent'}
        icon={replacement.now.state === 'stuck' ? 'warn' : 'swap'}
        title={title}
        end={
          <Button size="xs" onClick={() => navigate(sheetPlace(replacement.oldKey.id, 'replace', 'list'))}>
            {keysText.continue}
          </Button>
        }
      >
        {text}
      </Note>
    )
  })
}
