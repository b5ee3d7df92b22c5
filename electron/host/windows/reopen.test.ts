import { expect, test } from 'vitest'
import { reopenPage } from './page-rules.ts'

/** What a window at `current` does when its page is opened again at `url`. */
function reopened(current: string, url: string): readonly string[] {
  const done: string[] = []
  const contents = {
    getURL: () => current,
    reload: () => void done.push('reload'),
    loadURL: async (wanted: string) => void done.push(wanted),
  }
  reopenPage(contents, url)
  return done
}

test('on a reopen with unchanged language, reloads the page', () => {
  expect(reopened('app://bundle/index.html?locale=en-GB#/settings', 'app://bundle/index.html?locale=en-GB')).toEqual(['reload'])
})

test('on a reopen with another language, loads the page in that language and keeps the URL fragment', () => {
  const german = 'app://bundle/translated.html?language=de&page=index&locale=de-DE'
  expect(reopened('app://bundle/index.html?locale=en-GB#/settings', german)).toEqual([`${german}#/settings`])
  expect(reopened(german, 'app://bundle/index.html?locale=en-GB')).toEqual(['app://bundle/index.html?locale=en-GB'])
})
