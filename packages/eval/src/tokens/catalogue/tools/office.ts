import { choice, flag, integer, list, nullable, object, record, text, tool } from '../schema.js'

/** Mail, calendar and a support desk. */
export const officeTools = [
  tool(
    'send_email',
    'Sends an email from the mailbox of the signed-in user.',
    object(
      {
        to: list(text(), 'Addresses of the recipients.'),
        subject: text('Subject line.'),
        body: text('Plain text of the message. Line breaks are kept.'),
      },
      {
        cc: list(text(), 'Addresses that get a copy.'),
        reply_to: text('Message id, if this answers another message.'),
        importance: choice(['low', 'normal', 'high'], 'Default: normal.'),
      },
    ),
  ),
  tool(
    'translate_text',
    'Translates a text. Names, code and placeholders are kept.',
    object(
      {
        text: text('The text to translate.'),
        target_language: text('BCP 47 tag of the target language.'),
      },
      { formality: choice(['formal', 'informal'], 'How to address the reader.') },
    ),
  ),
  tool(
    'create_event',
    'Creates an event in the calendar and invites the attendees.',
    object(
      {
        title: text('Title as the attendees see it.'),
        start: text('Start, ISO 8601 with offset.'),
        end: text('End, ISO 8601 with offset.'),
      },
      {
        attendees: list(
          object(
            { email: text() },
            { name: text(), optional: flag('The event takes place without this person too.') },
          ),
        ),
        location: text('Room, address or link.'),
        notes: text('Agenda or other notes for the attendees.'),
        reminders_minutes: list(integer(), 'When to remind, in minutes before the start.'),
        recurrence: object(
          {
            frequency: choice(['daily', 'weekly', 'monthly']),
            interval: integer('Every so many periods.'),
          },
          {
            weekdays: list(choice(['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'])),
            until: text('ISO date.'),
          },
        ),
      },
    ),
  ),
  tool(
    'find_free_slots',
    'Finds times at which all the given people are free.',
    object(
      {
        people: list(text(), 'Email addresses.'),
        duration_minutes: integer('How long the slot must be.'),
        from: text('ISO date, inclusive.'),
        to: text('ISO date, inclusive.'),
      },
      {
        working_hours_only: flag('Default: true.'),
        time_zone: text('IANA name. Default: the zone of the user.'),
      },
    ),
  ),
  tool(
    'create_ticket',
    'Opens a ticket at the support desk.',
    object(
      {
        subject: text('One line that says what is wrong.'),
        description: text('What the customer reported, with all details.'),
        priority: choice(['low', 'normal', 'high', 'urgent']),
        customer: object(
          { id: integer(), name: text(), email: text() },
          { plan: choice(['free', 'team', 'business']) },
        ),
      },
      {
        tags: list(text()),
        due_at: nullable('string', 'ISO time by which an answer is due; null for none.'),
        custom_fields: record(text(), 'Fields that the desk has defined.'),
      },
    ),
  ),
  tool(
    'update_ticket',
    'Changes a ticket. Fields that are left out stay as they are.',
    object(
      { ticket_id: integer('Number of the ticket.') },
      {
        status: choice(['open', 'pending', 'solved', 'closed']),
        assignee: nullable('string', 'User name of the agent; null to unassign.'),
        satisfaction: nullable('number', 'Score from 0 to 5; null to clear it.'),
        internal_note: text('Note that the customer does not see.'),
      },
    ),
  ),
]
