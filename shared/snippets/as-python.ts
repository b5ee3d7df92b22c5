import { quoted, type SnippetRequest, snippetParts } from './snippet.ts'

const text = (value: string): string => quoted(value, code)

function code(character: string): string {
  const point = character.codePointAt(0) ?? 0
  const hex = point.toString(16)
  return point > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

/** The request as a Python 3 program without other packages. The credential is read from the environment. */
export function asPython(request: SnippetRequest): string {
  const { method, root, path, headers, secret, body, notes } = snippetParts(request)
  return [
    ...notes.map((note) => `# ${note}`),
    'import os',
    'import urllib.error',
    'import urllib.request',
    '',
    '',
    '# A redirect could take what is sent to another host.',
    'class NoRedirects(urllib.request.HTTPRedirectHandler):',
    '    def redirect_request(self, *args):',
    '        return None',
    '',
    '',
    'request = urllib.request.Request(',
    `    ${root === 'base' ? 'os.environ["SVC_BASE_URL"] + ' : ''}${text(path)},`,
    `    method='${method}',`,
    '    headers={',
    ...headers.map(({ name, value }) => `        '${name}': ${text(value)},`),
    ...(secret === null ? [] : [`        '${secret.name}': ${secret.before === '' ? '' : `'${secret.before}' + `}os.environ["${secret.variable}"],`]),
    '    },',
    ...(body === null ? [] : [`    data=${text(body)}.encode(),`]),
    ')',
    'try:',
    '    with urllib.request.build_opener(NoRedirects).open(request) as answer:',
    '        print(answer.status, answer.read().decode())',
    'except urllib.error.HTTPError as error:',
    '    print(error.code, error.read().decode())',
    '',
  ].join('\n')
}
