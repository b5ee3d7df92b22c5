import type { Paused } from '../../shared/ipc/keys/gateway.ts'
import type { CallFailure } from '../ipc/call-failure.ts'
import { useIpcCommand } from '../ipc/use-ipc.ts'
import { useToast } from '../kit/overlay/toast.tsx'
import { appText } from '../text/en/app.en.tsx'

/** What the app says after bots were paused: how many, and how many of their orders had already left. */
export const pausedWords = ({ bots, underWay }: Paused) =>
  ({
    tone: underWay.length === 0 ? 'ok' : 'warn',
    title: bots === 0 ? appText.noBotWasRunning : appText.botsPaused(bots),
    text: underWay.length === 0 ? appText.pausedBotsSendNothing : appText.ordersUnderWay(underWay.length),
    action: null,
  }) as const

interface PauseBots {
  /** Pauses one bot, or all of them (null), without a question. Reports the outcome, also a failure, in a toast. */
  readonly pause: (botId: string | null) => void
  /** The bot that is being paused; undefined if none is. */
  readonly pausing: string | null | undefined
  readonly error: CallFailure | null
}

export function usePauseBots(): PauseBots {
  const toast = useToast()
  const { mutate, isPending, variables, error } = useIpcCommand('gateway.pause')
  return {
    pause: (botId) =>
      mutate(
        { botId },
        {
          onSuccess: (paused) => toast(pausedWords(paused)),
          onError: () => toast({ tone: 'danger', title: appText.botsNotPaused, text: appText.botsNotPausedAdvice, action: null, to: null }),
        },
      ),
    pausing: isPending ? variables.botId : undefined,
    error,
  }
}
