import { mentions } from '../answer.js'
import { isEqualJson } from '../json.js'
import type { Task } from '../task.js'
import { createCalendarWorld } from '../worlds/calendar-world.js'
import { defineAgent, listProblems } from './define-task.js'

const day = '2031-03-12'
const nextDay = '2031-03-13'
const openCalendar = () =>
  createCalendarWorld([
    {
      id: 101,
      title: 'Standup',
      date: day,
      start: '09:00',
      end: '09:30',
      attendees: ['Noor', 'Ade', 'Lena'],
    },
    { id: 102, title: 'Hiring', date: day, start: '10:00', end: '11:30', attendees: ['Lena'] },
    {
      id: 103,
      title: 'Roadmap',
      date: day,
      start: '11:00',
      end: '12:00',
      attendees: ['Noor', 'Lena'],
    },
    {
      id: 104,
      title: 'Lunch talk',
      date: nextDay,
      start: '12:00',
      end: '13:00',
      attendees: ['Ade', 'Lena'],
    },
    {
      id: 105,
      title: 'Standup',
      date: nextDay,
      start: '09:00',
      end: '09:30',
      attendees: ['Noor', 'Ade', 'Lena'],
    },
    {
      id: 106,
      title: 'Customer call',
      date: nextDay,
      start: '09:30',
      end: '10:15',
      attendees: ['Noor'],
    },
  ])

/** Tasks on a calendar. Events that the prompt does not mention must not change. */
export const agentCalendarTasks: readonly Task[] = [
  defineAgent({
    id: 'calendar-conflict',
    category: 'calendar',
    prompt: `On ${day} Lena has two events that overlap. Find them. The one that begins later is moved to ${nextDay}: to the first time of that day at which all of its attendees are free for as long as it takes. Nothing else changes. Tell me the new start.`,
    open: () => {
      const world = openCalendar()
      return {
        tools: world.tools,
        check: ({ text }) => {
          const before = openCalendar().events
          const event = world.events.get(103)
          const others = [...world.events.values()].filter(({ id }) => id !== 103)
          return listProblems(
            [
              event?.date === nextDay && event.start === '10:15' && event.end === '11:15',
              `event 103 is on ${event?.date} from ${event?.start} to ${event?.end}`,
            ],
            [
              event?.title === 'Roadmap' && isEqualJson(event.attendees, ['Noor', 'Lena']),
              'event 103 is another one now',
            ],
            [
              isEqualJson(
                others,
                [...before.values()].filter(({ id }) => id !== 103),
              ),
              'events that have nothing to do with it were changed',
            ],
            [mentions(text, '10:15'), 'the answer does not say 10:15'],
          )
        },
      }
    },
    steps: [
      [{ name: 'list_events', args: { date: day, attendee: 'Lena' } }],
      [
        {
          name: 'find_free_slot',
          args: { date: nextDay, minutes: 60, attendees: ['Noor', 'Lena'] },
        },
      ],
      [
        {
          name: 'update_event',
          args: { event_id: 103, changes: { date: nextDay, start: '10:15', end: '11:15' } },
        },
      ],
    ],
    answer: 'The roadmap meeting is moved; it now begins at 10:15.',
  }),
  defineAgent({
    id: 'calendar-workshop',
    category: 'calendar',
    prompt: `Plan a workshop "Café & Code" of 90 minutes for Noor, Ade and Lena on ${day}, at the first time at which all three are free, in room Maple. Then cancel the lunch talk of ${nextDay}.`,
    open: () => {
      const world = openCalendar()
      return {
        tools: world.tools,
        check: () => {
          const created = [...world.events.values()].filter(({ id }) => id > 106)
          const [event] = created
          return listProblems(
            [created.length === 1, `${created.length} events were created`],
            [
              event?.title === 'Café & Code' &&
                event.date === day &&
                event.start === '12:00' &&
                event.end === '13:30',
              `the workshop is ${JSON.stringify(event)}`,
            ],
            [
              isEqualJson([...(event?.attendees ?? [])].sort(), ['Ade', 'Lena', 'Noor']),
              `the attendees are ${event?.attendees.join(', ')}`,
            ],
            [/maple/i.test(event?.location ?? ''), `the location is ${event?.location}`],
            [!world.events.has(104), 'the lunch talk is still there'],
            [world.events.size === 6, 'other events were changed'],
          )
        },
      }
    },
    steps: [
      [
        {
          name: 'find_free_slot',
          args: { date: day, minutes: 90, attendees: ['Noor', 'Ade', 'Lena'] },
        },
        { name: 'list_events', args: { date: nextDay } },
      ],
      [
        {
          name: 'create_event',
          args: {
            title: 'Café & Code',
            date: day,
            start: '12:00',
            end: '13:30',
            attendees: ['Noor', 'Ade', 'Lena'],
            location: 'Maple',
          },
        },
      ],
      [{ name: 'cancel_event', args: { event_id: 104 } }],
    ],
    answer: 'The workshop is at 12:00, and the lunch talk is cancelled.',
  }),
]
