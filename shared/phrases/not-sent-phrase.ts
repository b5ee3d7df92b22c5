/** What the user types to say that a lost transaction of a contract wallet was not sent. */
export const notSentPhrase = 'not sent'
