import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { Panel, Row, Rows } from '../../../kit/layout/panel.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { CodeId } from '../../../kit/visible-text.tsx'
import { MoreFields } from '../../../parts/more-fields.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from '../key-detail.module.css'

const notSaid = (
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
