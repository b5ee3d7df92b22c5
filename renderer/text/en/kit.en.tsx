import type { ReactNode } from 'react'
import { catalogue, plural } from '../../../shared/text/catalogue.ts'

/** Parts that several pages share. */
export const kitText = catalogue({
  copy: (what: string) => `Copy ${what}`,
  copied: (what: string) => `${what} copied`,
  couldNotBeCopied: (what: string) => `${what} could not be copied`,
  readHelp: (id: string) => `${id}-read ${id}-help`,
  ctrl: 'Ctrl',
  notKnown: 'Not known',
  asCsv: 'As CSV',
  asJson: 'As JSON',
  export: 'Export',
  notices: 'Notices',
  dismiss: 'Dismiss',
  long: 'Long',
  short: 'Short',
  until: (exactTime: string) => `Until ${exactTime}`,
  timeIsOver: 'Time is over',
  left: (value: string) => `${value} left`,
  oneMinuteLeft: 'One minute left',
  secondsLeft: '30 seconds left',
  secondsLeft2: '10 seconds left',
  utc: (dayAndTime: string) => `${dayAndTime} UTC`,
  min: (floor: number) => `${floor} min`,
  days: (floor: number) => `${floor} days`,
  minS: (floor: number, floor2: number) => `${floor} min ${floor2} s`,
  hMin: (floor: number, floor2: number) => `${floor} h ${floor2} min`,
  s: 's',
  h: (days: number, floor: number) => `${days} ${plural(days, { one: 'day', other: 'days' })} ${floor} h`,
  justNow: 'just now',
  inText: (duration: string) => `in ${duration}`,
  ago: (duration: string) => `${duration} ago`,
  aCharacterThatCannotBeSeen: 'A character that cannot be seen',
  typeToConfirm: (value: ReactNode) => <>Type {value} to confirm</>,
  esc: 'Esc',
  capsLockIsOn: 'Caps Lock is on.',
  hideWhatIsTyped: 'Hide what is typed',
  showWhatIsTyped: 'Show what is typed',
  requestId: 'request id',
  reference: 'reference',
  theServiceSaid: (said: ReactNode) => <>The service said: {said}</>,
  tryAgain: 'Try again',
  addressOfTheExchange: 'Address of the exchange',
  itsApiHostAsItsDocumentationGives: 'Its API host, as its documentation gives it',
  nameOfTheProfile: 'Name of the profile',
  shownAtTheTopOfTheWindow: 'Shown at the top of the window',
  checkTheAddress: 'Check address',
  addThisExchange: 'Add this exchange',
  cancel: 'Cancel',
  theExchangeAnswered: 'The exchange answered',
  inMs: (latencyMs: number) => `in ${latencyMs} ms`,
  nobodyAskedForThis: 'Nobody asked for this',
  notInTheMessage: 'Not in the message',
  apiVersion: 'API version',
  schema: 'Schema',
  router: 'Router',
  scopesOfKeys: 'Scopes of keys',
  notTold: 'not told',
  insteadOf: (value: string, names: string, visibleText: ReactNode, what: string) => (
    <>
      {value}
      {names}: {visibleText} instead of {what}.
    </>
  ),
  itDidNotSayWhichNameIt: 'It did not say which name it expects.',
  itAsksFor: (asks: ReactNode) => <>It asks for {asks}.</>,
  theServiceDidNotAccept: (sent: ReactNode, value: ReactNode) => (
    <>
      The service did not accept {sent}. {value}
    </>
  ),
  sendAs: (asks: ReactNode) => <>Send as {asks}</>,
  takeThisNameAndTryAgain: 'Use this name and try again',
  editFieldMap: 'Edit field map',
  practice: 'Practice',
  aLocalExchangeOnThisComputerNothing: 'A local exchange on this computer. Nothing here is real money.',
})
