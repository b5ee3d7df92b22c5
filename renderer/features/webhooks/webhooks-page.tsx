import type { WebhookSummary } from '../../../shared/ipc/webhooks/webhooks.ts'
import { minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { useNavigate, usePlace } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Panel } from '../../kit/layout/panel.tsx'
import { Empty, SkeletonRows } from '../../kit/layout/placeholders.tsx'
import { Table } from '../../kit/layout/table.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { SignedOut } from '../../parts/account-source.tsx'
import { ConfirmName } from '../../parts/confirm-name.tsx'
import { FailurePanel, MissingNote } from '../../parts/failure-note.tsx'
import { ActiveCount } from '../../parts/secret-place.tsx'
import { webhooksText } from '../../text/en/webhooks.en.tsx'
import { GapView } from './gaps/gap-view.tsx'
import { InspectorView } from './inspector/inspector-view.tsx'
import labStyles from './lab/lab.module.css'
import { LabPanel } from './lab/lab-panel.tsx'
import { ReceiverTestPanel } from './receiver-test/receiver-test-panel.tsx'
import { NewWebhookSheet } from './subscriptions/new-webhook-sheet.tsx'
import { WebhookDetail, WebhookNotes } from './subscriptions/webhook-detail.tsx'
import { WebhookTable } from './subscriptions/webhook-table.tsx'
import webhooksStyles from './subscriptions/webhooks.module.css'
import { shortName, urlOf, WebhookView } from './webhook-view.tsx'

function WebhookList() {
  const navigate = useNavigate()
  const list = useIpcQuery('webhooks.list', {}, { every: minute })
  const unmatched = useIpcQuery('webhooks.unmatched', {})
  const failure = list.data === undefined && list.error !== null ? failureOf(list.error) : null
  const noWallet = failure?.kind === 'no_wallet'
  const signedOut = noWallet || failure?.kind === 'sign_in_required'
  return (
    <WebhookView
      view="subscriptions"
      note={list.data?.active == null ? undefined : <ActiveCount active={list.data.active} limit={list.data.limit} what="webhooks" />}
      end={
        <>
          <Button variant="ghost" icon="shield-check" onClick={() => navigate('webhooks/inspector')}>
            {webhooksText.verifyDelivery}
          </Button>
          <Button variant="primary" icon="plus" disabled={signedOut} onClick={() => navigate('webhooks/new')}>
            {webhooksText.newWebhook}
          </Button>
        </>
      }
    >
      {signedOut ? (
        <SignedOut what="webhooks" walletConnected={!noWallet} />
      ) : failure !== null ? (
        <Panel>
          <FailurePanel failure={failure} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        </Panel>
      ) : (
        <>
          <WebhookNotes unmatched={unmatched.data ?? []} webhooks={list.data?.webhooks ?? []} />
          <section className={cx(panelStyles.panel, webhooksStyles.webhookPanel)} aria-label={webhooksText.webhookList}>
            <MissingNote missing={list.data?.missing} of="webhook" />
            {list.data === undefined ? (
              <Table label={webhooksText.webhooks} className={webhooksStyles.webhookTable} busy>
                <SkeletonRows rows={3} columns={6} />
              </Table>
            ) : list.data.webhooks.length === 0 ? (
              <Empty
                icon="webhook"
                title={webhooksText.noWebhooksYet}
                actions={
                  <Button icon="plus" onClick={() => navigate('webhooks/new')}>
                    {webhooksText.newWebhook}
                  </Button>
                }
              >
                {webhooksText.noWebhooksLead}
              </Empty>
            ) : (
              <WebhookTable webhooks={list.data.webhooks} />
            )}
            {list.data === undefined ? null : (
              <div className={panelStyles.panelFoot}>
                <span className={list.error === null ? textStyles.muted : textStyles.warn}>
                  {(list.error === null ? webhooksText.readAt : webhooksText.staleReadAt)(<Time ms={list.data.readAtMs} />)}
                </span>
                <IconButton icon="refresh" size="sm" label={webhooksText.refresh} busy={list.isFetching} onClick={() => void list.refetch()} />
              </div>
            )}
          </section>
        </>
      )}
    </WebhookView>
  )
}

/**
 * The page of the wallet's webhook subscriptions:
 * - `webhooks/new` creates one, `webhooks/<id>` shows one, `webhooks/<id>/disable` asks before disabling it.
 * - `webhooks/lab` receives deliveries, `webhooks/gaps` finds missed deliveries, `webhooks/inspector` checks a copied delivery.
 */
export function WebhooksPage() {
  const navigate = useNavigate()
  const { rest } = usePlace()
  const list = useIpcQuery('webhooks.list', {})
  const [first, action] = rest
  const webhook = list.data?.webhooks.find(({ id }) => id === first)
  if (first === 'inspector') return <InspectorView />
  if (first === 'lab') return <LabView />
  if (first === 'gaps') return <GapView />
  const leave = () => navigate(webhook === undefined || webhook.status === 'disabled' ? 'webhooks' : `webhooks/${webhook.id}`)
  return (
    <>
      {webhook === undefined ? <WebhookList /> : <WebhookDetail key={webhook.id} webhook={webhook} />}
      {first === 'new' ? <NewWebhookSheet onClose={() => navigate('webhooks')} /> : null}
      {webhook !== undefined && action === 'disable' ? <DisableSheet webhook={webhook} onClose={leave} /> : null}
      {webhook !== undefined && action === 'again' ? <CreateAgainSheet webhook={webhook} onClose={() => navigate('webhooks')} /> : null}
    </>
  )
}

/** The lab's deliveries as they arrive, and the test of the user's own receiver. `webhooks/lab/<event id>` opens one event. */
function LabView() {
  return (
    <WebhookView view="lab">
      <div className={labStyles.labColumns}>
        <LabPanel />
        <ReceiverTestPanel />
      </div>
    </WebhookView>
  )
}

interface SheetProps {
  readonly webhook: WebhookSummary
  readonly onClose: () => void
}

function DisableSheet({ webhook, onClose }: SheetProps) {
  const toast = useToast()
  const disable = useIpcCommand('webhooks.disable')
  const name = shortName(webhook)
  return (
    <ConfirmName
      title={webhooksText.disableNamed(name)}
      effect={webhooksText.disableEffect(urlOf(webhook))}
      name={name}
      confirmLabel={webhooksText.disableWebhook}
      keepLabel={webhooksText.keepWebhook}
      busy={disable.isPending}
      failure={disable.error === null ? null : failureOf(disable.error)}
      onClose={onClose}
      onConfirm={() =>
        disable.mutate(
          { webhookId: webhook.id },
          {
            onSuccess: ({ leftInKeychain }) => {
              const text = leftInKeychain ? webhooksText.secretStillInKeychain : webhooksText.secretRemoved
              toast({ tone: 'ok', title: webhooksText.webhookDisabled, text, action: null })
              onClose()
            },
          },
        )
      }
    />
  )
}

/**
 * Replaces a webhook whose secret is not on this computer with a new one. Needed because the service shows a secret only when a webhook is created.
 */
function CreateAgainSheet({ webhook, onClose }: SheetProps) {
  const toast = useToast()
  const again = useIpcCommand('webhooks.createAgain')
  const name = shortName(webhook)
  return (
    <ConfirmName
      title={webhooksText.createAgainNamed(name)}
      effect={webhooksText.createAgainEffect}
      name={name}
      confirmLabel={webhooksText.disableAndCreateAgain}
      keepLabel={webhooksText.keepWebhook}
      busy={again.isPending}
      failure={again.error === null ? null : failureOf(again.error)}
      onClose={onClose}
      onConfirm={() =>
        again.mutate(
          { webhookId: webhook.id },
          {
            onSuccess: () => {
              toast({ tone: 'ok', title: webhooksText.webhookCreatedAgain, text: webhooksText.secretStored, action: null })
              onClose()
            },
          },
        )
      }
    />
  )
}
