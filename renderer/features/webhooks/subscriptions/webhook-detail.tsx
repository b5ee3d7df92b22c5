import { useState } from 'react'
import type { UnmatchedWebhook, WebhookSummary } from '../../../../shared/ipc/webhooks/webhooks.ts'
import { runCommand } from '../../../../shared/snippets/snippet.ts'
import { type VerifierLanguage, verifiers } from '../../../../shared/snippets/verifiers.ts'
import { eventWords } from '../../../../shared/text/delivery-text.ts'
import { eventGroups, everyEvent, type WebhookEvent } from '../../../../shared/webhooks/events.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
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
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import { isWhole, missingText } from '../../../text/page-cut-text.ts'
import { statusLooks, urlOf } from '../webhook-view.tsx'
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
            <span className={textStyles.muted}>{event === undefined ? webhooksText.notInTheDocument : eventWords[event.name]}</span>
            {event?.remark == null ? null : <Chip tone="warn">{eventWords[event.remark]}</Chip>}
          </li>
        )
      })}
    </ul>
  )
}

function SecretPanel({ webhook }: { readonly webhook: WebhookSummary }) {
  const navigate = useNavigate()
  const profiles = useIpcQuery('profiles.list', {})
  const copy = useIpcCommand('webhooks.copySecret')
  const reveal = useIpcCommand('webhooks.reveal')
  const store = useIpcCommand('webhooks.retryStore')
  const save = useEnvSave((call) => call('webhooks.saveEnv', { webhookId: webhook.id }))
  const profile = profiles.data?.profiles.find((one) => one.id === profiles.data.activeId)
  const input = { webhookId: webhook.id }
  const failed = [copy.error, reveal.error, store.error].find((error) => error !== null)
  const failure = failed == null ? save.failure : failureOf(failed)
  return (
    <Panel title={webhooksText.signingSecret} end={<SecretPlace secret={webhook.secret} />} padded className={styles.webhookSecret}>
      {webhook.secret === 'elsewhere' ? (
        <Note
          title={webhooksText.secretMissing}
          end={
            webhook.status === 'disabled' || webhook.url === null || webhook.events === null ? undefined : (
              <Button size="sm" onClick={() => navigate(`webhooks/${webhook.id}/again`)}>
                {webhooksText.recreate}
              </Button>
            )
          }
        >
          {webhook.status === 'disabled' ? webhooksText.disabledSignsNothing : webhooksText.secretGivenOnce}
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
          title={webhooksText.inMemoryOnly}
          end={
            <Button size="sm" icon="lock" busy={store.isPending} onClick={() => store.mutate(input)}>
              {webhooksText.storeSecret}
            </Button>
          }
        >
          {webhooksText.keychainRefused}
        </Note>
      ) : null}
      {failure === null ? null : <FailureNote failure={failure} />}
      <p className={controlsStyles.help}>
        <Icon name="info" />
        <span>{webhooksText.secretNeverInWindow}</span>
      </p>
    </Panel>
  )
}

/** One webhook: its URL, its events and its signing secret. */
export function WebhookDetail({ webhook }: { readonly webhook: WebhookSummary }) {
  const navigate = useNavigate()
  const look = statusLooks[webhook.status]
  return (
    <div className={cx(panelStyles.page, styles.webhookDetail)}>
      <div className={panelStyles.pageHead}>
        <span className={panelStyles.crumb}>
          <Link to="webhooks">{webhooksText.webhooks}</Link>
          <Icon name="chevron-right" />
          <h1 className={cx(textStyles.name, textStyles.cut)}>{urlOf(webhook).replace(/^https?:\/\//, '')}</h1>
        </span>
        <State tone={look.tone} icon={look.icon}>
          {look.word}
        </State>
        {webhook.status === 'disabled' ? null : (
          <div className={panelStyles.end}>
            <Button icon="trash" variant="danger" onClick={() => navigate(`webhooks/${webhook.id}/disable`)}>
              {webhooksText.disable}
            </Button>
          </div>
        )}
      </div>
      <div className={styles.webhookColumns}>
        <Panel title={webhooksText.subscription}>
          <Rows className={styles.webhookRows}>
            <Row name={webhooksText.goesTo}>
              <code className={styles.webhookUrl}>
                <VisibleText text={urlOf(webhook)} />
              </code>
              <CopyButton text={urlOf(webhook)} what={webhooksText.urlCopied} />
            </Row>
            <Row name={webhooksText.id}>
              <code>{webhook.id}</code>
              <CopyButton text={webhook.id} what={webhooksText.webhookId} />
            </Row>
            <Row name={webhooksText.created}>
              <Time ms={webhook.createdAtMs} />
            </Row>
          </Rows>
          <h3 className={styles.webhookHead}>{webhook.events?.includes(everyEvent) === true ? webhooksText.allEvents : webhooksText.eventsLabel}</h3>
          {webhook.events === null ? (
            <p className={cx(styles.webhookHead, textStyles.muted)}>{webhooksText.eventsNotListed}</p>
          ) : (
            <Events events={webhook.events} />
          )}
          {webhook.unknownFields === null ? null : <MoreFields of={webhooksText.webhookById(webhook.id)} fields={webhook.unknownFields} />}
        </Panel>
        <SecretPanel webhook={webhook} />
      </div>
      <VerifierPanel />
    </div>
  )
}

const choices = (Object.keys(verifiers) as VerifierLanguage[]).map((value) => ({ value, label: verifiers[value].word }))

/** Program code that verifies deliveries, for the user to copy into a receiver. Does not contain the secret. */
function VerifierPanel() {
  const [language, setLanguage] = useState<VerifierLanguage>('node')
  const { word, text } = verifiers[language]
  return (
    <Panel
      title={webhooksText.receiverVerifier}
      end={
        <>
          <Segments label={webhooksText.verifierLanguage} choices={choices} value={language} onChange={setLanguage} />
          <CopyButton text={text} what={webhooksText.verifierCopied(word)} words={webhooksText.copy} size="sm" />
        </>
      }
      padded
      className={styles.webhookVerifier}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.inspectorBody} tabIndex={0} aria-label={webhooksText.verifierFor(word)}>
        {text}
      </section>
      <p className={controlsStyles.help}>
        <Icon name="info" />
        <span>
          {webhooksText.verifierHelp(
            <code>SVC_WEBHOOK_SECRET</code>,
            <Link to="webhooks/inspector" className={textStyles.link}>
              {webhooksText.checkDelivery}
            </Link>,
          )}
        </span>
      </p>
    </Panel>
  )
}

function UnmatchedNote({ unmatched }: { readonly unmatched: UnmatchedWebhook }) {
  const resolve = useIpcCommand('webhooks.resolveUnmatched')
  const { operationId, url, candidates, startedAtMs } = unmatched
  const [only, ...others] = candidates
  const certain = only !== undefined && others.length === 0 && isWhole(unmatched.missing)
  const act = (action: 'create_again' | 'disable' | 'dismiss', webhookId: string | null) => resolve.mutate({ operationId, webhookId, action })
  return (
    <>
      <Note
        tone="warn"
        icon="unknown"
        title={webhooksText.creationLost}
        end={
          <span className={styles.webhookActions}>
            {certain ? (
              <>
                <Button size="xs" icon="rotate" busy={resolve.isPending} onClick={() => act('create_again', only.id)}>
                  {webhooksText.disableAndCreateAgain}
                </Button>
                <Button size="xs" variant="danger" onClick={() => act('disable', only.id)}>
                  {webhooksText.disable}
                </Button>
              </>
            ) : null}
            <Button size="xs" variant="ghost" onClick={() => act('dismiss', null)}>
              {webhooksText.dismiss}
            </Button>
          </span>
        }
      >
        <p>
          {certain
            ? webhooksText.creationFound(<code>{only.id}</code>, <code>{url}</code>)
            : only === undefined && !isWhole(unmatched.missing)
              ? webhooksText.creationNotInReadable(<code>{url}</code>, missingText(unmatched.missing, 'webhook'))
              : only === undefined
                ? webhooksText.creationNotFound(<code>{url}</code>)
                : (others.length === 0 ? webhooksText.creationUnclear : webhooksText.creationUnclearMany)(
                    <code>{url}</code>,
                    missingText(unmatched.missing, 'webhook'),
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
                <span className={textStyles.muted}>{webhooksText.createdAt(<Time ms={candidate.createdAtMs} />)}</span>
                <Button size="xs" variant="danger" busy={resolve.isPending} onClick={() => act('disable', candidate.id)}>
                  {webhooksText.disableThisOne}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Note>
      {resolve.error === null ? null : <FailureNote failure={failureOf(resolve.error)} />}
    </>
  )
}

function UnstoredNote({ webhook }: { readonly webhook: WebhookSummary }) {
  const store = useIpcCommand('webhooks.retryStore')
  return (
    <>
      <Note
        tone="warn"
        icon="hourglass"
        title={webhooksText.unstoredSecret}
        end={
          <Button size="xs" icon="lock" busy={store.isPending} onClick={() => store.mutate({ webhookId: webhook.id })}>
            {webhooksText.storeSecret}
          </Button>
        }
      >
        <p>{webhooksText.unstoredSecretOf(<code>{urlOf(webhook)}</code>)}</p>
      </Note>
      {store.error === null ? null : <FailureNote failure={failureOf(store.error)} />}
    </>
  )
}

/** Notes about webhooks that need the user: lost responses, and secrets that are not in the keychain. */
export function WebhookNotes({ unmatched, webhooks }: { readonly unmatched: readonly UnmatchedWebhook[]; readonly webhooks: readonly WebhookSummary[] }) {
  const unstored = webhooks.filter(({ secret }) => secret === 'memory')
  if (unmatched.length + unstored.length === 0) return null
  return (
    <div className={styles.webhookNotes}>
      {unmatched.map((unmatched) => (
        <UnmatchedNote key={unmatched.operationId} unmatched={unmatched} />
      ))}
      {unstored.map((webhook) => (
        <UnstoredNote key={webhook.id} webhook={webhook} />
      ))}
    </div>
  )
}
