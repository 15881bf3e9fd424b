package find

import (
	"slices"
	"strings"
	"sync"
)

// The weights of a word with the same meaning as the one in the question, and of a word that is used for it
// or together with it.
const (
	same = 0.9
	near = 0.6
)

// synonyms are words with the same meaning in everyday work with a computer. Each line is one meaning. None
// of them is the name of a product.
const synonyms = `create, make, new, set up, generate
add, append, insert, attach, include
delete, remove, erase, discard, get rid, throw away, trash, wipe, drop
get, retrieve, fetch, obtain, load
show, display, view, see, look at
list, enumerate, list all
search, find, look for, look up, locate, lookup, seek, query
update, change, edit, modify, alter, revise, adjust
send, post, submit, deliver
write, save, store, put down, record
move, relocate, transfer, put somewhere
rename, name
copy, duplicate, clone
reply, answer, respond, response, react
undo, revert, roll back, take back, reset, rollback
recover, restore, bring back, get back
upload, push, send up
download, pull, fetch
go, navigate, visit, go to, browse
click, press, tap, hit
type, enter, input, key in
fill, fill out, fill in, complete
choose, select, pick
switch, check out, checkout, change to
run, execute, launch, perform
start, begin, launch, init, initialize
stop, cancel, abort, end, terminate, kill, quit
turn on, enable, activate
turn off, disable, deactivate
toggle, turn on, turn off, switch on, switch off
approve, accept, confirm, agree, sign off
refuse, reject, decline, dismiss, deny
merge, combine, join, unite, land, integrate
connect, link, relate, associate
remember, memorize, keep in mind, memory
forget, delete, remove
think, reason, ponder, think through, thought
wait, pause, until, hold on
repeat, echo, say again, echo back
say, tell, message, write
notify, inform, alert, tell
assign, give to, hand to, assignee
compare, diff, difference, different, versus
convert, transform, turn into, translate
calculate, compute, work out, add up, sum
compress, zip, gzip, shrink, pack
extract, unzip, unpack, decompress
check, verify, validate, test, make sure
schedule, plan, book, arrange, reserve
buy, order, purchase, pay
install, set up, add
share, publish, make public
hide, archive, put away
stash, shelve, put aside, set aside, aside, put away
summarize, summary, sum up, overview
explain, describe, details, about
print, output, log
resize, scale, size
scroll, page down
drag, drag and drop, pull over
subscribe, follow, watch
sync, synchronize, refresh, up to date, bring up
folder, directory, dir, folders
file, document
picture, image, photo, screenshot, photograph, drawing
screenshot, screen shot, screen capture, snapshot
sound, audio, music, song
video, film, movie, clip
page, web page, webpage, website, site
url, link, web address, hyperlink
internet, web, online, the net
mail, email, inbox
user, person, people, member, account, everybody, everyone, who, developer, coworker, colleague, teammate
profile, details, information, info
channel, room
thread, conversation, discussion
reaction, emoji, thumbs up, smiley
pr, pull request, merge request, mr
repo, repository, codebase
bug, issue, ticket, defect, problem
remark, comment, feedback, note
review, reviewer, feedback
task, todo, to do, reminder
event, appointment, meeting, calendar
changes, modifications, diff, edits
ci, check, build, pipeline, status
author, wrote, blame, authorship
label, tag, category
version, release, revision
release notes, changelog, change log
address, location, street
coordinates, latitude, longitude, gps, geographic
distance, how far, how long, travel time, duration
route, directions, way, drive, walk, journey, trip
height, high, elevation, altitude, tall
place, location, business, restaurant, shop, cafe, hotel, store, bar
near, nearby, around, local, close by, near me, neighbourhood, neighborhood
news, article, headline
size, big, large, space, bytes
content, text, body
structure, tree, hierarchy, layout, recursive
table, database, data source, sheet, spreadsheet
row, record, entry, item
column, field, property, attribute
log, console, messages
error, exception, failure, crash
number, integer, value
environment variable, env, environment
dropdown, drop down, select, option, menu
popup, dialog, alert, prompt, pop up
form, sign up, registration
password, credential, secret, login
script, javascript, js
network, http, request, traffic
dark mode, light mode, color scheme, dark, theme
computer, machine, disk, drive, laptop, file system
cursor, mouse, pointer
key, keyboard, keystroke
window, browser window, viewport
everything, all, entire, whole, complete, full
several, multiple, many, batch, at once, bulk, some
last, latest, recent, newest, current
history, past, previous, log, earlier
fact, observation, knowledge, statement
thing, entity, object
relation, relationship, connection
job, process, operation
permission, allowed, access, may
uncommitted, unstaged, modified, pending
worktree, working tree, working copy
parent, under, inside`

// neighbours are words that are sometimes used for each other, or that occur together: the first of a line
// with each of the others.
const neighbours = `create, add, open, start, insert, write, begin
put, add, move, write, create, set
open, create, read, navigate, get, view
get, show, read, list, view, see, know, return, give
show, get, list, read, return
read, get, show, view, retrieve, look at, content, open
list, get, show, which, what, see, retrieve
search, query, filter, discover, where, get
update, set, replace, patch, rename, close, assign
replace, edit, update, substitute
send, write, message, publish, tell, share
message, post, say, tell, chat, said, channel
write, create, post, update, append, message
rename, move, update, title
copy, fork, clone
download, clone, get
comment, reply, answer, discuss, say
thread, reply, message
clean, delete, remove, clear, untracked
delete, clean, clear, archive
close, update, end, state
run, evaluate, call, trigger, script
review, approve, comment, inspect
know, knowledge, memory, graph, remember
remember, observation, note, fact, add, knowledge
forget, memory, observation, entity, knowledge
think, problem, step, solve, sequential
drive, travel, directions, route, distance
distance, far, long, directions, travel
tree, directory, nested
folder, file, path
photo, file, media
picture, media, file, screenshot
pdf, file, document
spreadsheet, file, table
size, info, metadata
video, media
sound, media
modified, info, metadata, status
page, browser, url
site, browser, url
weather, forecast, web search, temperature
news, web search, internet
internet, web search, browser
phone number, details, contact, business
opening hours, details, business, hours
rating, review, details, business
user, profile, entity, contact
email, user, profile, message
team, channel, workspace, user
channel, message, group, chat
said, message, history, channel
bug, error, report
open, state, unresolved
assign, update, owner
version, tag, commit
commit, save, history, change
changes, commit, status, files, changed
staged, add, index
remote, server, upstream, origin
address, geocode, place
coordinates, geocode, position, location
table, row, record, query
property, status, update
console, error, warning, log
error, message, log
login, form, button, sign in
button, click, element
box, field, element, input
hover, mouse, over
phone, mobile, small
file, path, local, attachment
code, function, method, symbol, class
paragraph, block, text, content
environment, variable, setting, configuration
folder, workspace
computer, file, local
project, repository, directory, workspace
lost, reflog, recover`

// kinds relate a kind of thing, the first of a line, to examples of it.
const kinds = `place, dentist, doctor, hospital, pharmacy, museum, gas station, petrol station, charging station, supermarket, bakery, bank, atm, school, park, gym, theatre, cinema, library, pub, pizza, coffee, barber, hairdresser, plumber, garage, station, airport, beach, church, market, mall, lawyer
local, dentist, doctor, pharmacy, pizza, bakery, supermarket, bank, gym, pub, barber, hairdresser, plumber, garage, lawyer, open now, restaurant
location, city, town, village, country, capital, region, district, county, zip code, postcode, landmark, mountain, lake, river, island
directions, bike, bicycle, bus, train, car, subway, commute, on foot, get from, get to, navigation
travel, bike, bus, train, car, minutes, kilometre, mile
web search, google, bing, wikipedia, trivia, meaning of, definition, price of, who is, who was, capital of, score, election, stock, recipe, tutorial, documentation, read about, learn about
image, png, jpg, jpeg, gif, svg, webp, icon, logo, selfie, portrait, diagram, chart, scan
audio, mp3, wav, podcast, recording, voice
media, png, jpg, jpeg, gif, mp3, wav, mp4, recording, voice
file, pdf, docx, doc, txt, md, csv, json, yaml, toml, xml, html, log file, config, invoice, letter, essay, report, paper, contract, chapter, manuscript, receipt, attachment, folder, downloads, desktop
folder, downloads, desktop, home directory, subfolder, location
directory, path, subdirectory, subfolder, downloads, desktop
message, dm, direct message, ping, announce, announcement, greet, thank, colleague, team, everybody
event, birthday, deadline, invite, invitation, agenda, tomorrow, week, free time, busy
issue, feature request, complaint, story, epic, backlog, bug report, report
relation, sister, brother, mother, father, wife, husband, friend, boss, works at, works for, married, child, belongs to, knows
entity, person, company, sister, brother, mother, father, friend, boss, customer
observation, likes, prefers, preference, birthday, hobby, favourite, favorite, habit, allergic, saved, about me, learned
graph, memory, saved, about me, you know, you remember, stored
click, checkbox, button, tick, radio button, login, log in, sign in, submit, press on, icon
form, checkbox, login, log in, sign in, sign up, username, user name, password, text box, field
type, text box, search box, username, password, input field, letters
navigate, log in, homepage, home page, address bar, url, web address, reload
log, happened, yesterday, since, last week, timeline
diff, line by line, before and after, modifications, what changed
checkout, go back, branch, main
reset, go back, throw away, discard, unstage, last commit
merge, bring into, bring, into
clone, project, download, local copy, url
sum, total, plus, add, together
review, request changes, feedback, approve, lgtm
allowed, reach, access, touch, permitted
multiple, at the same time, in one go, at once, together, each, both
update, reopen, trash, rename, finish, mark, done, status
move, archive, put, into another, somewhere else, relocate
snapshot, current state, see page, look at page
environment, settings, configuration, secrets`

// related has the words with the same meaning, by the stems of a word or of a phrase of two words.
type related map[string][]other

var relatedStems = sync.OnceValue(func() related {
	var stems stemmer
	r := related{}
	stemsOf := func(phrase string) (list []string) {
		for word := range strings.SplitSeq(phrase, " ") {
			list = append(list, stems.stem(word))
		}
		return list
	}
	add := func(from, to string, weight float32) {
		if from, to := stemsOf(from), stemsOf(to); !slices.Equal(from, to) {
			key := strings.Join(from, " ")
			r[key] = append(r[key], other{to, weight})
		}
	}
	for group := range strings.SplitSeq(synonyms, "\n") {
		words := strings.Split(group, ", ")
		for _, from := range words {
			for _, to := range words {
				add(from, to, same)
			}
		}
	}
	for group := range strings.SplitSeq(neighbours+"\n"+kinds, "\n") {
		words := strings.Split(group, ", ")
		for _, to := range words[1:] {
			add(words[0], to, near)
			add(to, words[0], near)
		}
	}
	return r
})
