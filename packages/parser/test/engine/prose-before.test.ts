import { describe, expect, it } from 'vitest'
import { judgeProse } from '../../src/engine/prose-before.js'

// biome-ignore format: a table
describe('what the text before a call says about it', () => {
  it.each([
    ['\n ',                                             'first'],
    ['Let me look.',                                    'announced'],
    ['First I need the place.',                         'announced'],
    ['Here is the call:',                               'possible'],
    ['For example:',                                    'shown'],
    ['Such a call is, for instance,',                   'shown'],
    ['You can write:',                                  'shown'],
    ["You'd write:",                                    'shown'],
    ['Never call it yourself.',                         'shown'],
    ["I won't run this:",                               'shown'],
    ['I refuse to run',                                 'shown'],
    ['I would not do',                                  'shown'],
    ['Shall I delete it?',                              'shown'],
    ['Do you want me to go on?',                        'shown'],
    ['The page says:',                                  'shown'],
    ['I saw this in the file:',                         'shown'],
    ['Of course! I use the tools, "as you said":',       'announced'],
    ['The page says nothing. Let me look again.',       'announced'],
    ['Before:\nrun(command="a")\nAfter:',              'shown'],
    ['import os\n\nx = 1',                              'shown'],
    ['def run(command):\n    pass',                     'shown'],
    ['If it rains,',                                    'shown'],
    ['This is how to call it:',                         'shown'],
    ['I am sorry. This tool is not mine.\n\nIt is:',    'shown'],
    ['It does not work, so I wrote:',                   'shown'],
    ['This is an example. '.concat('It is over now, and the text has gone on. '.repeat(5)), 'possible'],
    ['If only one thing were said, '.concat('and then another, '.repeat(12)), 'shown'],
    ['Ich sehe nach.',                                  'unclear'],
    ['Então, vou ver a hora.',                          'unclear'],
    ['12:30',                                           'unclear'],
  ])('%j: %s', (before, verdict) => expect(judgeProse(before)).toBe(verdict))
})
