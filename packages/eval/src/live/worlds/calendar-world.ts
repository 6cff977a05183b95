import { z } from 'zod'
import { defineTool } from '../define-tool.js'
import type { LiveTool } from '../task.js'

export interface CalendarEvent {
  readonly id: number
  readonly title: string
  readonly date: string
  readonly start: string
  readonly end: string
  readonly attendees: readonly string[]
  readonly location?: string | undefined
}

export interface CalendarWorld {
  readonly events: Map<number, CalendarEvent>
  readonly tools: readonly LiveTool[]
}

const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .describe('YYYY-MM-DD')
const time = z
  .string()
  .regex(/^\d{2}:\d{2}$/)
  .describe('HH:MM, 24 hours')
const attendees = z.array(z.string()).describe('First names')

export function createCalendarWorld(initial: readonly CalendarEvent[]): CalendarWorld {
  const events = new Map(initial.map(event => [event.id, event]))
  const calendar: Calendar = { events, nextId: Math.max(100, ...events.keys()) + 1 }
  return { events, tools: [...searchTools(calendar), ...changeTools(calendar)] }
}

/** The state that the tools read and change. */
interface Calendar {
  readonly events: Map<number, CalendarEvent>
  nextId: number
}

function findEvent({ events }: Calendar, id: number): CalendarEvent {
  const event = events.get(id)
  if (!event) throw new Error(`There is no event ${id}.`)
  return event
}

function searchTools({ events }: Calendar): LiveTool[] {
  return [
    defineTool({
      name: 'list_events',
      description: 'Lists the events of one day, in the order of their start.',
      input: z.object({
        date,
        attendee: z.string().optional().describe('Only events of this person'),
      }),
      execute: ({ date, attendee }) => ({
        events: [...events.values()]
          .filter(
            event =>
              event.date === date && (attendee === undefined || event.attendees.includes(attendee)),
          )
          .sort((a, b) => a.start.localeCompare(b.start)),
      }),
    }),
    defineTool({
      name: 'find_free_slot',
      description:
        'Finds the first time of a day, between 09:00 and 17:00, at which all of these people are free.',
      input: z.object({ date, minutes: z.int().min(5).max(480), attendees }),
      execute: ({ date, minutes, attendees }) => {
        const start = findFreeStart([...events.values()], date, minutes, attendees)
        return start === undefined
          ? { free: false }
          : { free: true, start: clock(start), end: clock(start + minutes) }
      },
    }),
  ]
}

function changeTools(calendar: Calendar): LiveTool[] {
  const { events } = calendar
  return [
    defineTool({
      name: 'create_event',
      description: 'Adds an event to the calendar.',
      input: z.object({
        title: z.string(),
        date,
        start: time,
        end: time,
        attendees,
        location: z.string().optional(),
      }),
      execute: input => {
        const event = { id: calendar.nextId++, ...input }
        events.set(event.id, event)
        return event
      },
    }),
    defineTool({
      name: 'update_event',
      description: 'Changes an event. What is not given stays as it is.',
      input: z.object({
        event_id: z.int(),
        changes: z
          .object({
            title: z.string().optional(),
            date: date.optional(),
            start: time.optional(),
            end: time.optional(),
            attendees: attendees.optional(),
            location: z.string().optional(),
          })
          .describe('Only the fields that change'),
      }),
      execute: ({ event_id, changes }) => {
        const before = findEvent(calendar, event_id)
        const after: CalendarEvent = {
          id: before.id,
          title: changes.title ?? before.title,
          date: changes.date ?? before.date,
          start: changes.start ?? before.start,
          end: changes.end ?? before.end,
          attendees: changes.attendees ?? before.attendees,
          location: changes.location ?? before.location,
        }
        events.set(event_id, after)
        return after
      },
    }),
    defineTool({
      name: 'cancel_event',
      description: 'Removes an event from the calendar.',
      input: z.object({ event_id: z.int() }),
      execute: ({ event_id }) => {
        const { title } = findEvent(calendar, event_id)
        events.delete(event_id)
        return { cancelled: event_id, title }
      },
    }),
  ]
}

function findFreeStart(
  events: readonly CalendarEvent[],
  date: string,
  minutes: number,
  attendees: readonly string[],
): number | undefined {
  const busy = events.filter(
    event => event.date === date && event.attendees.some(name => attendees.includes(name)),
  )
  for (let start = 9 * 60; start + minutes <= 17 * 60; start += 5) {
    const isFree = busy.every(
      event => minuteOf(event.end) <= start || minuteOf(event.start) >= start + minutes,
    )
    if (isFree) return start
  }
  return undefined
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
