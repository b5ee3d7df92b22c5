import { createDeadline, sleep } from '../kernel/deadline.ts'
import type { SecretOutlets } from '../keys/delivery/secret-handlers.ts'
import type { ServiceClock } from '../service/api/service-clock.ts'
import type { Vault } from '../store/journal/journal.ts'
import { createGapCheck, type GapCheckDeps } from './gaps/gap-check.ts'
import { createLabService, type LabService } from './lab/lab-service.ts'
import { createReceiverTests, type ReceiverTestDeps, type ReceiverTests } from './receiver-test/receiver-test-service.ts'
import { createPost } from './subscriptions/post.ts'
import { createWebhookShelf, type WebhookShelf } from './subscriptions/webhook-shelf.ts'
import { createWebhooks, type Webhooks, type WebhooksDeps } from './webhooks.ts'

export interface WebhookServicesDeps
  extends WebhooksDeps,
    Pick<ReceiverTestDeps, 'log'>,
    Pick<GapCheckDeps, 'markets' | 'reader' | 'freshBooks' | 'lookAgain' | 'saveText'> {
  readonly vault: Vault
  readonly outlets: Pick<SecretOutlets, 'reveal' | 'unlocked'>
  readonly clock: ServiceClock
}

export interface WebhookServices {
  readonly holdSecret: Webhooks['holdSecret']
  /** For the terminal. */
  readonly shelf: WebhookShelf
  attention: Webhooks['attention']
  recover: Webhooks['recover']
  /** Gives the port of the lab back, and sends nothing more. */
  stop(): void
  /** Resolves once the port is free and nothing is sent any more. */
  settled(): Promise<void>
  readonly handlers: Webhooks['handlers'] & LabService['handlers'] & ReceiverTests['handlers'] & ReturnType<typeof createGapCheck>
}

/** Webhook subscriptions, the lab that receives their deliveries, the tests of other receivers, and the check for what never came. */
export function createWebhookServices(deps: WebhookServicesDeps): WebhookServices {
  const { profile, held, clock, newId, outlets } = deps
  const profileId = profile.id
  const webhooks = createWebhooks(deps)
  const shelf = createWebhookShelf(held)
  const lab = createLabService({ ...deps, shelf, profileId })
  const receiverTests = createReceiverTests({
    ...deps,
    post: createPost({ clock, startDeadline: createDeadline }),
    sleep,
    newId: () => `evt_sample_${newId()}`,
    reveal: outlets.reveal,
    profileId,
  })
  const gaps = createGapCheck({ ...deps, webhooks: async () => webhooks.handlers['webhooks.list']({}), lab: lab.labRecord })
  return {
    holdSecret: webhooks.holdSecret,
    shelf,
    attention: webhooks.attention,
    recover: webhooks.recover,
    stop: () => {
      lab.stop()
      receiverTests.stop()
    },
    settled: async () => {
      await lab.settled()
      await receiverTests.settled()
    },
    handlers: { ...webhooks.handlers, ...lab.handlers, ...receiverTests.handlers, ...gaps },
  }
}
