import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { hour, minute } from '../../../shared/time.ts'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Row, Rows } from '../../kit/layout/panel.tsx'
import { shorten } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { Time, useNow } from '../../kit/time/time.tsx'
import { CodeId } from '../../kit/visible-text.tsx'
import { SecretPlace } from '../../parts/secret-place.tsx'
import { keysText } from '../../text/en/keys.en.tsx'

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
