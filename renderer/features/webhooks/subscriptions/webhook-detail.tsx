import { useState } from 'react'
import type { WebhookOrphan, WebhookSummary } from '../../../../shared/ipc/webhooks/webhooks.ts'
import { runCommand } from '../../../../shared/snippets/snippet.ts'
import { type VerifierLanguage, verifiers } from '../../../../shared/snippets/verifiers.ts'
import { eventGroups, everyEvent, type WebhookEvent } from '../../../../shared/webhooks/events.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Panel, Row, Rows } from '../../../kit/layout/panel.tsx'
import { State } from '../../../kit/layout/state.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { MoreFields } from '../../../parts/more-fields.tsx'
import { SecretOutlets, SecretPlace, useEnvSave } from '../../../parts/secret-outlets.tsx'
import { isWhole, missingText } from '../../../text/page-cut-text.ts'
import { shortName, statusLooks, urlOf } from '../webhook-view.tsx'
import styles from './webhooks.module.css'

const documented: ReadonlyMap<string, WebhookEvent> = new Map(eventGroups.flatMap(({ events }) => events.map((event) => [event.name, event])))

function Events({ events }: { readonly events: readonly string[] }) {
  const names = events.includes(everyEvent) ? [...documented.keys()] : events
  return (
    <ul className={styles.webhookEvents}>
      {names.map((name) => {
        const event = documented.get(name)
        return (
          <li key={name}>
            <code>{name}</code>
            <span className={textStyles.muted}>{event?.when ?? 'Not in the document'}</span>
            {event?.remark == null ? null : <Chip tone="warn">{event.remark}</Chip>}
          </li>
        )
      })}
    </ul>
  )
}

function SecretPanel({ webhook }: { readonly webhook: WebhookSummary }) {
  const navigate = useNavigate()
  const profiles = useDeskQuery('profiles.list', {})
  const copy = useDeskCommand('webhooks.copySecret')
  const reveal = useDeskCommand('webhooks.reveal')
  const store = useDeskCommand('webhooks.retryStore')
  const save = useEnvSave((call) => call('webhooks.saveEnv', { webhookId: webhook.id }))
  const profile = profiles.data?.profiles.find((one) => one.id === profiles.data.activeId)
  const input = { webhookId: webhook.id }
  const failed = [copy.error, reveal.error, store.error].find((error) => error !== null)
  const failure = failed == null ? save.failure : failureOf(failed)
  return (
    <Panel title="Signing secret" end={<SecretPlace secret={webhook.secret} />} padded className={styles.webhookSecret}>
      {webhook.secret === 'elsewhere' ? (
        <Note
          title="The secret is not on this computer."
          end={
            webhook.status === 'disabled' || webhook.url === null || webhook.events === null ? undefined : (
              <Button size="sm" onClick={() => navigate(`webhooks/${webhook.id}/again`)}>
                Create it again
              </Button>
            )
          }
        >
          {webhook.status === 'disabled' ? 'The webhook is disabled; nothing is signed with it any more.' : 'The service gives it only once, at the creation.'}
        </Note>
      ) : (
        <SecretOutlets
          prefix="svc_whsec_"
          copy={{ busy: copy.isPending, untilMs: copy.data?.clearsAtMs ?? 0, press: () => copy.mutate(input) }}
          reveal={{ busy: reveal.isPending, untilMs: reveal.data?.closesAtMs ?? 0, press: () => reveal.mutate(input) }}
          save={save}
          command={runCommand({ profile: profile?.name ?? null, of: { webhook: urlOf(webhook) }, words: ['./receiver'] })}
        />
      )}
      {webhook.secret === 'memory' ? (
        <Note
          tone="warn"
          title="Kept in memory until the app quits."
          end={
            <Button size="sm" icon="lock" busy={store.isPending} onClick={() => store.mutate(input)}>
              Store it
            </Button>
          }
        >
          The keychain did not take it.
        </Note>
      ) : null}
      {failure === null ? null : <FailureNote failure={failure} />}
      <p className={controlsStyles.help}>
        <Icon name="info" />
        <span>This window never holds the secret itself. Deliveries are signed with all of it, as SVC_WEBHOOK_SECRET holds it.</span>
      </p>
    </Panel>
  )
}

/** One subscription: where it goes, what it is told, and its signing secret. */
export function WebhookDetail({ webhook }: { readonly webhook: WebhookSummary }) {
  const navigate = useNavigate()
  const look = statusLooks[webhook.status]
  return (
    <div className={cx(panelStyles.page, styles.webhookDetail)}>
      <div className={panelStyles.pageHead}>
        <span className={panelStyles.crumb}>
          <Link to="webhooks">Webhooks</Link>
          <Icon name="chevron-right" />
          <h1 className={cx(textStyles.name, textStyles.cut)}>{shortName(webhook)}</h1>
        </span>
        <State tone={look.tone} icon={look.icon}>
          {look.word}
        </State>
        {webhook.status === 'disabled' ? null : (
          <div className={panelStyles.end}>
            <Button icon="trash" variant="danger" onClick={() => navigate(`webhooks/${webhook.id}/disable`)}>
              Disable
            </Button>
          </div>
        )}
      </div>
      <div className={styles.webhookColumns}>
        <Panel title="Subscription">
          <Rows className={styles.webhookRows}>
            <Row name="Goes to">
              <code className={styles.webhookUrl}>
                <VisibleText text={urlOf(webhook)} />
              </code>
              <CopyButton text={urlOf(webhook)} what="URL" />
            </Row>
            <Row name="Id">
              <code>{webhook.id}</code>
              <CopyButton text={webhook.id} what="webhook id" />
            </Row>
            <Row name="Created">
              <Time ms={webhook.createdAtMs} />
            </Row>
          </Rows>
          <h3 className={styles.webhookHead}>{webhook.events?.includes(everyEvent) === true ? 'All events' : 'Events'}</h3>
          {webhook.events === null ? (
            <p className={cx(styles.webhookHead, textStyles.muted)}>The service did not say which.</p>
          ) : (
            <Events events={webhook.events} />
          )}
          {webhook.unknownFields === null ? null : <MoreFields of={`webhook ${webhook.id}`} fields={webhook.unknownFields} />}
        </Panel>
        <SecretPanel webhook={webhook} />
      </div>
      <VerifierPanel />
    </div>
  )
}

const choices = (Object.keys(verifiers) as VerifierLanguage[]).map((value) => ({ value, label: verifiers[value].word }))

/** A verifier for the receiver, to be copied. The secret is not in it. */
function VerifierPanel() {
  const [language, setLanguage] = useState<VerifierLanguage>('node')
  const { word, text } = verifiers[language]
  return (
    <Panel
      title="Verifier for your receiver"
      end={
        <>
          <Segments label="Language of the verifier" choices={choices} value={language} onChange={setLanguage} />
          <CopyButton text={text} what={`the verifier for ${word}`} words="Copy" size="sm" />
        </>
      }
      padded
      className={styles.webhookVerifier}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.inspectorBody} tabIndex={0} aria-label={`The verifier for ${word}`}>
        {text}
      </section>
      <p className={controlsStyles.help}>
        <Icon name="info" />
        <span>
          Over the raw bytes, in constant time, 300 s of tolerance. That a delivery dated as far ahead is refused too is this app’s own rule. The secret is read
          from <code>SVC_WEBHOOK_SECRET</code>.{' '}
          <Link to="webhooks/inspector" className={textStyles.link}>
            Check a delivery
          </Link>
        </span>
      </p>
    </Panel>
  )
}

function OrphanNote({ orphan }: { readonly orphan: WebhookOrphan }) {
  const settle = useDeskCommand('webhooks.settleOrphan')
  const { operationId, url, candidates, startedAtMs } = orphan
  const [only, ...others] = candidates
  const certain = only !== undefined && others.length === 0 && isWhole(orphan.missing)
  const act = (action: 'create_again' | 'disable' | 'dismiss', webhookId: string | null) => settle.mutate({ operationId, webhookId, action })
  return (
    <>
      <Note
        tone="warn"
        icon="unknown"
        title="The answer to creating a webhook was lost."
        end={
          <span className={styles.webhookActions}>
            {certain ? (
              <>
                <Button size="xs" icon="rotate" busy={settle.isPending} onClick={() => act('create_again', only.id)}>
                  Disable and create again
                </Button>
                <Button size="xs" variant="danger" onClick={() => act('disable', only.id)}>
                  Disable
                </Button>
              </>
            ) : null}
            <Button size="xs" variant="ghost" onClick={() => act('dismiss', null)}>
              Dismiss
            </Button>
          </span>
        }
      >
        <p>
          {certain ? (
            <>
              The service has it as <code>{only.id}</code>, to <code>{url}</code>, and its signing secret reached nobody.
            </>
          ) : only === undefined && !isWhole(orphan.missing) ? (
            <>
              No webhook to <code>{url}</code> is among those that the app can read. {missingText(orphan.missing, 'webhook', 'webhooks')}
            </>
          ) : only === undefined ? (
            <>
              No webhook to <code>{url}</code> was found at the service yet. The app does not create it again automatically.
            </>
          ) : (
            <>
              {others.length === 0 ? 'This one' : 'More than one'} to <code>{url}</code> may have come of it. Disable those that you do not know.{' '}
              {missingText(orphan.missing, 'webhook', 'webhooks')}
            </>
          )}{' '}
          <span className={textStyles.muted}>
            <Time ms={startedAtMs} />
          </span>
        </p>
        {certain ? null : (
          <ul className={styles.webhookCandidates}>
            {candidates.map((candidate) => (
              <li key={candidate.id}>
                <code>{candidate.id}</code>
                <span className={textStyles.muted}>
                  made <Time ms={candidate.createdAtMs} />
                </span>
                <Button size="xs" variant="danger" busy={settle.isPending} onClick={() => act('disable', candidate.id)}>
                  Disable this one
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Note>
      {settle.error === null ? null : <FailureNote failure={failureOf(settle.error)} />}
    </>
  )
}

function UnstoredNote({ webhook }: { readonly webhook: WebhookSummary }) {
  const store = useDeskCommand('webhooks.retryStore')
  return (
    <>
      <Note
        tone="warn"
        icon="hourglass"
        title="A signing secret is kept for this run only."
        end={
          <Button size="xs" icon="lock" busy={store.isPending} onClick={() => store.mutate({ webhookId: webhook.id })}>
            Store it now
          </Button>
        }
      >
        <p>
          The keychain did not take that of <code>{urlOf(webhook)}</code>. It is gone when the app quits.
        </p>
      </Note>
      {store.error === null ? null : <FailureNote failure={failureOf(store.error)} />}
    </>
  )
}

/** What waits for the user: lost answers, and secrets that are in no keychain. */
export function WebhookNotes({ orphans, webhooks }: { readonly orphans: readonly WebhookOrphan[]; readonly webhooks: readonly WebhookSummary[] }) {
  const unstored = webhooks.filter(({ secret }) => secret === 'memory')
  if (orphans.length + unstored.length === 0) return null
  return (
    <div className={styles.webhookNotes}>
      {orphans.map((orphan) => (
        <OrphanNote key={orphan.operationId} orphan={orphan} />
      ))}
      {unstored.map((webhook) => (
        <UnstoredNote key={webhook.id} webhook={webhook} />
      ))}
    </div>
  )
}
