"""Given names, in lower case: enough to take a capitalised word for a person. No rule is here."""

from __future__ import annotations

from ricordo.extraction.words import word_set

#: Names that are hardly anything else.
GIVEN = word_set(
    """
    aaron abby abigail abdul abdullah adam adele adrian adriana agathe agnes agnieszka ahmed aisha akira alan albert
    alberto alejandra alejandro aleksandra alessandro alex alexander alexandra alexei alexis alfred ali alice alicia
    alina alison allison alma alvaro amanda amara amelia amina amir amit amy ana anastasia anders andre andrea
    andreas andres andrew andrzej andy angela angelika angelina anika anil anita anja anjali ann anna annabelle anne
    annette annie annika ansel anthony antje antoine anton antonia antonio anya ariana arjun arne arnold artem
    arthur arturo asha ashley astrid audrey aurelie axel ayesha ayse barbara bart bastian beatrice beatriz becky
    bella ben benedikt benjamin bernard bernd beth bethany betty bianca bjorn blanca bob bobby boris brad bradley
    brandon brenda brendan brian bridget britta bruce bruno bryan caitlin caleb calvin cameron camila camille carina
    carl carla carlos carmen carol carolin caroline carolyn carsten catalina caterina catherine cathy cecilia cedric
    celia celine cesar charlene charles charlie chiara chloe chris christa christina christine christoph christophe
    christopher cindy claire clara clarissa claude claudia claus clemens colin colleen connie connor conrad cora
    corinna craig cristina curtis cynthia dagmar damian damien dan daniel daniela danielle danny daphne dario darius
    darren dave david deborah debbie deepak deborah denise dennis derek derrick desmond detlef diana diane diego
    dieter dilip dimitri dirk dmitri dominic dominik dominique don donald donna doris dorothea dorothy doug douglas
    dylan ebba edgar edith eduardo edward edwin egon eileen ekaterina elaine eleanor elena eleni elias elif elijah
    elin elisa elisabeth elise elizabeth ella ellen ellie elsa elsie emanuel emeka emil emilia emilie emilio emily
    emma emre enrico enrique eric erica erich erik erika erin ernest ernst esteban esther ethan eugene eva evan eve
    evelyn fabian fabio fadi farah farid fatima fatma federico felicia felipe felix ferdinand fernanda fernando
    fiona florian francesca francesco francis francisco francois frankie franz fred freddie frederic frederick frida
    frieda friedrich fritz gabriel gabriela gabriele gabriella gareth gary gavin georg george georgina gerald gerard
    gerd gerhard gina gino giorgio giovanni gisela giulia giuseppe gloria gordon graham greg gregor gregory greta
    gretchen guido guillermo gunnar gunter gustav gwen hank hanna hannah hans harald haris harold harry harvey
    hassan heather hector heidi heike heiko heinrich heinz helen helena helene helga helmut hendrik henri henrik
    henry herbert herman hilary hilda hiro hiroshi horst howard hubert hugo hussein ian ibrahim ida ignacio igor
    ilse imran ines inga inge ingrid irena irene irina irma isaac isabel isabella isabelle isaiah ismail ivan
    jackson jacob jacqueline jacques jaime jake jakob jamal james jamie jan jana jane janet janine jannik janosch
    jared jasmin jason javier jeanette jeanne jeff jeffrey jelena jenna jennifer jenny jens jeremy jerome jerry
    jesse jessica jill jim jimmy joachim joan joana joanna joanne jochen joe joel joey johan johann johanna johannes
    john johnny jolene jon jonah jonas jonathan jorge jose josef joseph josephine josh joshua josie juan juana
    judith judy julia julian juliana julie julien juliet julio julius jurgen justin justine kai kaori karen karim
    karin karina karl karla karolina kaspar kate katharina katherine kathleen kathrin kathy katia katie katja katrin
    kay keiko keith kelly kelsey ken kenji kenneth kerstin kevin khalid kieran kim kirsten klara klaus kofi konrad
    konstantin kristen kristin kristina kristine kumiko kurt kyle lara larissa larry lars laszlo laura lauren
    laurent lea leah leila lena lennart leo leon leonard leonardo leonie leonor leroy leslie lewis liam liana lidia
    lina linda lindsay lindsey linus lionel lisa lise livia liz lizzie lloyd lola lorena lorenzo lori lotta lotte
    lou louis louisa louise luca lucas lucia luciana lucie lucinda lucy ludwig luigi luis luisa lukas luke lutz
    lydia lynn mabel maddie madeleine magda magdalena magnus mahmoud maja malcolm malik malin manfred manuel manuela
    mara marc marcel marcela marcia marco marcos marcus mareike margaret margarita margit margot maria mariah mariam
    marian mariana marianne marie mariel marilyn marina mario marion marisa marius marjorie markus marlene marta
    martha martin martina marvin mary masha massimo mateo mathias mathilde mathieu matilda matt matteo matthew
    matthias matthieu maureen maurice mauricio max maxim maximilian maxine maya megan mehmet mei mel melanie melinda
    melissa mercedes meredith mia micah michael michaela michel michele michelle miguel mika mike mikhail milan
    milena milo mina mira miranda miriam mohamed mohammed moira molly mona monica monika monique moritz morris moses
    muhammad murat mustafa nadia nadine nadja nancy naomi natalia natalie natasha nate nathan nathaniel neha neil
    nelson nia niamh nicholas nico nicola nicolas nicole niels nigel nikhil nikita nikolai nikolaus nils nina
    nishant noah noel noemi nora norbert norman nuno octavia olaf ole oleg olga oliver olivia olivier omar oscar
    oskar otto owen pablo paco pamela paola paolo pascal patricia patrick paul paula paulina pauline paulo pavel
    pedro peggy per pete peter petra phil philip philipp philippe phoebe phyllis pia pierre pilar piotr polly
    pradeep pranav priya rachel rafael rafal rahul rainer raj rajesh ralf ralph ramon randall randy raphael raquel
    rashid raul ravi raymond rebecca regina reinhard rene renata renate reza ricardo richard rick ricky riccardo
    rita rob robert roberta roberto rocio roderick rodney rodrigo roger rohan roland rolf roman ron ronald ronja
    rory rosa rosalie rosanna rosemary rosie ross roxanne roy rudi rudolf rupert russell ruth ryan sabine sabrina
    sadie said sally salma salvador sam samantha samir samuel sandra sanjay santiago sara sarah sascha sasha saskia
    scott sean sebastian selena selma serena sergei sergio seth shane shannon sharon sheila shirley shreya sibylle
    siegfried sigrid silke silvia simon simona simone sofia sofie sonia sonja sophia sophie soren spencer stacy stan
    stanley stefan stefanie stella stephan stephanie stephen steve steven stuart sunita susan susanna susanne susie
    suzanne svea sven svenja sveta sylvia tabea tamara tania tanja tanya tara tariq tatiana ted teresa terence terri
    terry tessa thea thelma theo theodor theodore theresa therese thomas thorsten tiago tiffany till tim timo
    timothy tina tobias todd tom tomas tommy toni tony torben tracy travis trevor trisha tristan tyrone udo ulf uli
    ulla ulrich ulrike ursula uta ute uwe valentina valerie vanessa vera veronica veronika vicky vijay vikram
    vincent viola vivian vivien vladimir walter wanda wendy werner wilhelm willem william wolfgang xavier yasmin
    yuki yuko yuri yusuf yves yvette yvonne zach zachary zara zoe zofia zsofia agata lukasz wojciech katarzyna
    malgorzata jannis finn lasse thies henning malte leopold kaya noor nasser youssef layla zainab chidi ngozi kwame
    amadou ola thabo sipho lerato wei ming jing xin li-na min-jun ji-woo soo-jin linh nguyen thuy nadeem tomasz
    """
)

#: Names that are other words, months or places too: they need more than a capital.
DOUBTFUL = word_set(
    """
    amber angel april art august austin autumn basil bill brooke brooklyn candy carolina carter chad charity
    charlotte chase chelsea christian clay cliff cooper crystal dale daisy dakota dallas dawn dean destiny dolly
    drew duke earl eden faith fern florence forest frank gale gene georgia ginger glen grace grant gray guy harmony
    harper hazel heath holly hope hunter india iris ivory ivy jack jade jasmine jay jordan joy june justice ken
    lance laurel lee lily lincoln london mark martin mason may melody mercy miles misty morgan nick olive page paige
    paris parker pat patience pearl penny peg phoenix pierce piper poppy ray reed reid rich river robin rose ruby
    rusty sage sandy savannah shelby sierra sky skip stone sue summer sunny sydney taylor tyler valentin victor
    victoria vienna violet virginia wade ward warren wayne will willow winter woody madison lucky tiger shadow
    """
)
