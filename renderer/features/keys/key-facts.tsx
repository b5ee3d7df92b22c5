import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../shared/live-key.ts'
import { hour, minute } from '../../../shared/time.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Panel, Row, Rows } from '../../kit/layout/panel.tsx'
import { shorten } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { Time, useNow } from '../../kit/time/time.tsx'
import { CodeId } from '../../kit/visible-text.tsx'
import { MoreFields } from '../../parts/more-fields.tsx'
import { SecretPlace } from '../../parts/secret-place.tsx'
import { keysText } from '../../text/en/keys.en.tsx'
import styles from './key-detail.module.css'

/** When a program last used the key: "never" only if the service states it, "unknown" if it states nothing. */
export function LastUse({ entry }: { readonly entry: Pick<KeySummary, 'lastUsedAtMs' | 'neverUsed'> }) {
  if (entry.lastUsedAtMs !== null) return <Time ms={entry.lastUsedAtMs} />
  return entry.neverUsed === true ? (
    keysText.never
  ) : (
    <span className={textStyles.muted} title={keysText.serviceDidNotSay}>
      {keysText.lastUseUnknown}
    </span>
  )
}

/** The facts that tell a key apart from others of the same name: its id, last use, agent and where its secret is. */
export function KeyFacts({ entry }: { readonly entry: KeySummary }) {
  const agent = entry.agent?.address ?? null
  return (
    <Rows ruled>
      <Row name={keysText.id}>
        <CodeId id={entry.id} />
        <CopyButton text={entry.id} what={keysText.keyId} />
      </Row>
      <Row name={keysText.lastUsed}>
        <LastUse entry={entry} />
      </Row>
      {agent === null ? null : (
        <Row name={keysText.agent}>
          <code title={agent}>{shorten(agent)}</code>
        </Row>
      )}
      <Row name={keysText.secret}>
        <SecretPlace secret={entry.secret} />
      </Row>
    </Rows>
  )
}

/** How the user ends a key: `revoke` ends the key, `rotate` only its current secret. */
export type KeyEnd = 'revoke' | 'rotate'

/** What to warn of before the user ends a key: this app uses the key, or a program used it within the last hour. `null`: no warning. */
export const warningOf = ({ inUse, lastUsedAtMs }: Pick<KeySummary, 'inUse' | 'lastUsedAtMs'>, nowMs: number): 'this_app' | 'a_program' | null =>
  inUse ? 'this_app' : lastUsedAtMs !== null && nowMs - lastUsedAtMs < hour ? 'a_program' : null

/** Warns that a program still uses the key. Draws nothing if no use is known. */
export function KeyUseNote({ entry, end }: { readonly entry: KeySummary; readonly end: KeyEnd }) {
  const warning = warningOf(entry, useNow(minute))
  if (warning === null) return null
  return warning === 'this_app' ? (
    <Note tone="warn" title={keysText.appUsesKey}>
      {end === 'revoke' ? keysText.appUsesRevokedKey : keysText.appUsesRotatedKey}
    </Note>
  ) : (
    <Note tone="warn" title={keysText.programUsedKey(<Time ms={entry.lastUsedAtMs} />)}>
      {end === 'revoke' ? keysText.keyStopsAtOnce : keysText.secretStopsAtOnce}
    </Note>
  )
}

export const notSaid = (
  <span className={textStyles.muted} title={keysText.serviceDidNotSay}>
    —
  </span>
)

/** The limits the service sets for a key, and the user's own notes. */
export function LimitsPanel({ entry, onReplace, onNote }: { readonly entry: KeySummary; readonly onReplace: () => void; readonly onNote: () => void }) {
  const live = isLiveKey(entry)
  const { note } = entry
  return (
    <Panel
      title={keysText.limitsAndNotes}
      end={
        live ? (
          <Button size="xs" variant="ghost" onClick={onReplace}>
            {keysText.replaceKey}
          </Button>
        ) : undefined
      }
    >
      <Rows ruled className={styles.limits}>
        <Row name={keysText.id}>
          <CodeId id={entry.id} />
          <CopyButton text={entry.id} what={keysText.keyId} />
        </Row>
        <Row name={keysText.expires}>
          <Time ms={entry.expiresAtMs} form="day" />
        </Row>
        <Row name={keysText.allowlist}>
          {entry.allowlist === null ? (
            notSaid
          ) : entry.allowlist.length === 0 ? (
            <span className={textStyles.warn}>{keysText.anyAddress}</span>
          ) : (
            <ul className={styles.limitsIps}>
              {entry.allowlist.map((range) => (
                <li key={range}>
                  <code>{range}</code>
                </li>
              ))}
            </ul>
          )}
        </Row>
        {entry.quotas === null || entry.quotas.length === 0 ? (
          <Row name={keysText.limitsTitle}>{entry.quotas === null ? notSaid : <span className={textStyles.muted}>{keysText.serviceDefault}</span>}</Row>
        ) : (
          entry.quotas.map(({ name, value }) => (
            <Row key={name} name={keysText.limitNamed(name.replaceAll('_', ' '))}>
              {value}
            </Row>
          ))
        )}
        <Row name={keysText.created}>
          <Time ms={entry.createdAtMs} form="day" />
        </Row>
        {note === null ? null : (
          <>
            {note.owner === '' ? null : <Row name={keysText.owner}>{note.owner}</Row>}
            {note.environment === '' ? null : <Row name={keysText.environment}>{note.environment}</Row>}
            {note.group === '' ? null : <Row name={keysText.group}>{note.group}</Row>}
          </>
        )}
      </Rows>
      {note === null || note.text === '' ? null : <p className={styles.limitsNote}>{note.text}</p>}
      <div className={styles.limitsFoot}>
        <MoreFields of={keysText.keyNamed(entry.label)} fields={entry.unknownFields} />
        <Button size="xs" variant="ghost" icon="pen" onClick={onNote}>
          {note === null ? keysText.addNote : keysText.editNote}
        </Button>
      </div>
    </Panel>
  )
}
