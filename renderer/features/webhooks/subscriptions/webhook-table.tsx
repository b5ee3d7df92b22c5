import type { WebhookSummary } from '../../../../shared/ipc/webhooks/webhooks.ts'
import { everyEvent } from '../../../../shared/webhooks/events.ts'
import { useIpcCommand } from '../../../ipc/use-ipc.ts'
import { IconButton } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { State } from '../../../kit/layout/state.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import marksStyles from '../../../kit/marks.module.css'
import { Menu } from '../../../kit/overlay/menu.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { SecretPlace } from '../../../parts/secret-place.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import { statusLooks, urlOf } from '../webhook-view.tsx'
import styles from './webhooks.module.css'

export function EventChips({ events, most = Number.POSITIVE_INFINITY }: { readonly events: WebhookSummary['events']; readonly most?: number }) {
  if (events === null) return <span className={textStyles.muted}>—</span>
  const shown = events.slice(0, most)
  return (
    <span className={marksStyles.scopes}>
      {shown.map((name) => (
        <span key={name} className={marksStyles.scope}>
          {name === everyEvent ? webhooksText.everyEventShort : name}
        </span>
      ))}
      {events.length > shown.length ? (
        <span className={textStyles.muted} title={events.join(', ')}>
          {webhooksText.moreEvents(events.length - shown.length)}
        </span>
      ) : null}
    </span>
  )
}

function SecretCell({ secret, status }: Pick<WebhookSummary, 'secret' | 'status'>) {
  return secret === 'elsewhere' && status === 'disabled' ? <span className={textStyles.muted}>—</span> : <SecretPlace secret={secret} />
}

function RowActions({ webhook }: { readonly webhook: WebhookSummary }) {
  const navigate = useNavigate()
  const toast = useToast()
  const copySecret = useIpcCommand('webhooks.copySecret')
  const copyText = useIpcCommand('app.copyText')
  const name = webhooksText.actionsFor(urlOf(webhook))
  const live = webhook.status !== 'disabled'
  return (
    <Menu
      label={name}
      align="end"
      trigger={(props) => <IconButton icon="more" size="xs" label={name} {...props} />}
      entries={[
        { label: webhooksText.open, icon: 'webhook', onSelect: () => navigate(`webhooks/${webhook.id}`) },
        {
          label: webhooksText.copySecret,
          icon: 'copy',
          disabled: webhook.secret === 'elsewhere',
          onSelect: () =>
            copySecret.mutate(
              { webhookId: webhook.id },
              {
                onSuccess: () => toast({ tone: 'ok', title: webhooksText.secretCopied, text: webhooksText.clipboardClears, action: null }),
                onError: () => toast({ tone: 'danger', title: webhooksText.secretNotCopied, text: webhooksText.unlockKeychain, action: null }),
              },
            ),
        },
        { label: webhooksText.copyId, icon: 'doc', onSelect: () => copyText.mutate({ text: webhook.id }) },
        { type: 'separator' },
        { label: webhooksText.disable, icon: 'trash', danger: true, disabled: !live, onSelect: () => navigate(`webhooks/${webhook.id}/disable`) },
      ]}
    />
  )
}

function Row({ webhook }: { readonly webhook: WebhookSummary }) {
  const look = statusLooks[webhook.status]
  return (
    <tr className={webhook.status === 'disabled' ? styles.gone : undefined}>
      <td className={styles.webhookTo}>
        <Link to={`webhooks/${webhook.id}`} title={urlOf(webhook)}>
          <code>
            <VisibleText text={urlOf(webhook)} />
          </code>
        </Link>
      </td>
      <td>
        <EventChips events={webhook.events} most={3} />
      </td>
      <td>
        <State tone={look.tone} icon={look.icon}>
          {look.word}
        </State>
      </td>
      <td className={cx(textStyles.right, textStyles.muted)}>
        <Time ms={webhook.createdAtMs} />
      </td>
      <td>
        <SecretCell {...webhook} />
      </td>
      <td className={tableStyles.actions}>
        <RowActions webhook={webhook} />
      </td>
    </tr>
  )
}

/** The table of webhooks: active ones first, otherwise in the service's order. */
export function WebhookTable({ webhooks }: { readonly webhooks: readonly WebhookSummary[] }) {
  const live = webhooks.filter(({ status }) => status !== 'disabled')
  const gone = webhooks.filter(({ status }) => status === 'disabled')
  return (
    <Table label={webhooksText.webhooks} className={styles.webhookTable}>
      <thead>
        <tr>
          <HeadCell>{webhooksText.goesTo}</HeadCell>
          <HeadCell>{webhooksText.eventsLabel}</HeadCell>
          <HeadCell>{webhooksText.state}</HeadCell>
          <HeadCell numeric>{webhooksText.created}</HeadCell>
          <HeadCell>{webhooksText.signingSecret}</HeadCell>
          <HeadCell>
            <span className={textStyles.screenReaderOnly}>{webhooksText.actions}</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {live.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} />
        ))}
      </tbody>
      {gone.length === 0 ? null : (
        <tbody>
          <tr className={tableStyles.group} data-part="group">
            <th colSpan={6} scope="colgroup">
              <span className={textStyles.name}>{webhooksText.disabled}</span> <span className={panelStyles.count}>{gone.length}</span>
            </th>
          </tr>
          {gone.map((webhook) => (
            <Row key={webhook.id} webhook={webhook} />
          ))}
        </tbody>
      )}
    </Table>
  )
}
