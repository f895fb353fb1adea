/**
 * What passwords are made of that are guessed first: the words, names and runs on the keyboard that lists of used
 * passwords are full of. Longest first, so that a word within a word does not leave a rest.
 */
export const commonWords = `
abc abcd abcdefgh access admin adminadmin administrateur administrator alexander alexandra alexis amanda america and
andrea andrew angel angela angelina anthony antonio apple arsenal asd asdasd asdf asdfgh asdfghjkl asdzxc ashley
august austin autobahn autumn azerty babygirl baerchen banana barbara barcelona baseball basketball batman bayern
beautiful benjamin berlin bienvenue bismillah blessed blink bond bonjour borussia boston brandon brooklyn buster
butterfly camille canada carlos carolina catherine celtic champion chance changeme charlie chelsea cherry chicago
chicken chocolat chocolate christ christian christina christine christopher cocacola coffee company computer
contrasena cookie cooper corvette cowboys cricket crystal dakota dallas daniel danielle database david december
default demo deutschland diablo diamond dolphin donald dortmund dragon dragonball du eagles einstein elizabeth
eminem england facebook family felix ferrari feuerwehr fishing florian florida flower football footnote forever
france freedom friday friend friends fucker fuckoff fuckyou fussball gandalf gangster garfield gateway geheim george
germany ginger golden goodluck google guest guitar hallo handball hannah happy harley harrypotter heather heaven
hello hellokitty hi hockey hollywood honey hotmail hunter ich ichliebedich iloveu iloveyou india internet ireland
isabella ist italia jackson january jasmine jennifer jessica jesus jetaime johannes jonathan jordan joseph joshua
juventus kennwort killer kimberly lakers lauren letmein liebling linkedin linkinpark liverpool login london love
lovely lover lucky maggie manager manchester marlboro martin master matrix matthew maxwell mein meine melissa
mercedes metallica mexico michael michelle microsoft midnight minecraft monday money monkey monster morgan
motdepasse mother motorola mustang my mypassword myspace naruto natalie new newyork nicholas nicole nintendo nirvana
nothing november october office ok oliver orange orlando pakistan parola pass passcode passion passphrase password
passwort patrick peanut pepper phoenix playboy player pokemon poohbear popcorn porsche precious princess prinzessin
purple qaywsx qaz qazwsx qwe qweasd qweasdzxc qwer qwert qwerty qwertyuiop qwertz rabbit raiders rainbow rammstein
ranger realmadrid rebecca richard robert rockstar ronaldo root russia sabrina samantha samsung samuel sandra schalke
schatz scorpion sebastian secret september server service shadow shannon siemens simpsons slipknot snoopy soccer
softball sommer sonne sonnenschein spider spiderman spongebob spring starwars steelers stephanie strawberry success
summer sunshine super superman superstar superuser support sweet sweetheart system taylor teamo tennis tequiero test
testing the thomas tiffany tiger tigger tinkerbell toyota trinity trustno trustnoi twilight unicorn united user
vanessa victoria volleyball warcraft warrior welcome welcometo whatever william willkommen wilson windows winter
wizard woaini wsx yamaha yankees yellow yxcvbnm zaqwsx zxc zxcasdqwe zxcvbn zxcvbnm
`
  .trim()
  .split(/\s+/)
  .sort((a, b) => b.length - a.length);
