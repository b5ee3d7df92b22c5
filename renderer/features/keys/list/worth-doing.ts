import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import { daysText, isEnding, lifeOf } from '../key-view.ts'
import { sheetPlace } from '../sheet-place.ts'

export interface Advice {
  readonly id: string
  readonly icon: IconName
  readonly label: string
  /** Follows the label in a sentence. */
  readonly text: string
  /** What its button says, and where that leads. */
  readonly action: string
  readonly to: string
}

/** What would make the keys safer or keep a bot running; nothing that must be done now. */
export function worthDoing(keys: readonly KeySummary[], nowMs: number): readonly Advice[] {
  return keys.filter(isLiveKey).flatMap((key): Advice[] => {
    const advice = (icon: IconName, text: string, action: string, to: string): Advice => ({ id: `${key.id}/${icon}`, icon, label: key.label, text, action, to })
    const days = lifeOf(key, nowMs).days
    return [
      ...(isEnding(key, nowMs) && days !== null
        ? [
            advice(
              'clock',
              days === 0 ? 'ends today. Its bots stop then.' : `ends in ${daysText(days)}. Its bots stop then.`,
              'Extend',
              sheetPlace(key.id, 'extend', 'list'),
            ),
          ]
        : []),
      ...(key.agent?.granted === false
        ? [advice('bot', 'lost its agent grant, so delegated orders are refused.', 'Sign grant', sheetPlace(key.id, 'grant', 'list'))]
        : []),
      ...(key.allowlist?.length === 0 ? [advice('globe', 'answers any address. A new key can name the ones it is used from.', 'New key', 'keys/new')] : []),
      ...(key.scopes?.includes('collateral:manage') === true && key.scopes.includes('trade:execute')
        ? [advice('coins', 'trades and moves collateral. Two keys would keep that apart.', 'New key', 'keys/new')]
        : []),
    ]
  })
}
