import type { DeskEvent } from '../../../shared/ipc/contract.ts'

type Notice = Extract<DeskEvent, { type: 'notice' }>

/** Both stay until the user dismisses them, who may have been away. */
const stays = { type: 'notice', severity: 'danger' } as const

/** `isOpen`: the profile of the last time is open, so its journal was gone through. */
export const restartNotice = (reference: string, isOpen: boolean): Notice => ({
  ...stays,
  title: 'Svc Desk restarted after an error',
  text: `${isOpen ? 'It checked your orders and keys against the journal. Anything that needs you is in Overview.' : 'Open your profile to check its orders and keys against the journal.'} The log has the error under ${reference}.`,
  to: '/overview',
  system: true,
})

export const pageNotice: Notice = {
  ...stays,
  title: 'The window reloaded after an error',
  text: 'Orders and keys were not affected. Anything that needs you is in Overview.',
  to: '/overview',
}
