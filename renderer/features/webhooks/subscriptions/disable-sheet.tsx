import type { WebhookSummary } from '../../../../shared/ipc/webhooks/webhooks.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { useToast } from '../../../kit/overlay/toast.tsx'
import { ConfirmName } from '../../../parts/confirm-name.tsx'
import { shortName, urlOf } from '../webhook-words.ts'

interface SheetProps {
  readonly webhook: WebhookSummary
  readonly onClose: () => void
}

export function DisableSheet({ webhook, onClose }: SheetProps) {
  const toast = useToast()
  const disable = useDeskCommand('webhooks.disable')
  const name = shortName(webhook)
  return (
    <ConfirmName
      title={`Disable ${name}`}
      effect={`Nothing more is sent to ${urlOf(webhook)}. Its signing secret is removed from the keychain, and it cannot be enabled again.`}
      name={name}
      confirmLabel="Disable webhook"
      keepLabel="Keep it"
      busy={disable.isPending}
      failure={disable.error === null ? null : failureOf(disable.error)}
      onClose={onClose}
      onConfirm={() =>
        disable.mutate(
          { webhookId: webhook.id },
          {
            onSuccess: () => {
              toast({ tone: 'ok', title: 'Webhook disabled', text: 'Its signing secret was removed from the keychain.', action: null })
              onClose()
            },
          },
        )
      }
    />
  )
}

/** The way to a secret that is here: a webhook has only the one that was shown at its creation. */
export function CreateAgainSheet({ webhook, onClose }: SheetProps) {
  const toast = useToast()
  const again = useDeskCommand('webhooks.createAgain')
  const name = shortName(webhook)
  return (
    <ConfirmName
      title={`Create ${name} again`}
      effect="It is disabled, and another is created with the same URL and events. The new signing secret goes into the keychain; whoever checks deliveries with the old one has to get the new one."
      name={name}
      confirmLabel="Disable and create again"
      keepLabel="Keep it"
      busy={again.isPending}
      failure={again.error === null ? null : failureOf(again.error)}
      onClose={onClose}
      onConfirm={() =>
        again.mutate(
          { webhookId: webhook.id },
          {
            onSuccess: () => {
              toast({ tone: 'ok', title: 'Webhook created again', text: 'Its signing secret is in the keychain, read back.', action: null })
              onClose()
            },
          },
        )
      }
    />
  )
}
