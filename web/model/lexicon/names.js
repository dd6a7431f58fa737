// Names with a French rendering of the same spelling: training puts one for another, so that the model learns
// to carry a name over.
const words = (text) => text.trim().split(/\s+/);

export const men = words(`
  Tom John Bob Jim Mike Ken Bill Jack Peter Paul George David Dan Sam Max Ben Leo Hugo Oscar Ivan Igor
  Carlos Diego Pedro Luca Marco Giovanni Hans Otto Karl Lars Sven Erik Olaf Ahmed Omar Ali Hassan Yusuf
  Ibrahim Amir Raj Arjun Vikram Kenji Hiroshi Takeshi Satoshi Zuko Iroh Wei Chen Minh Kwame Tariq
  Dmitri Sergei Boris Oleg Pavel Milan Tomas Mateo Felix Simon Martin Robert Richard William Harry Oliver
  Ethan Liam Noah Lucas Adam Henry Albert Walter Frank Steve Kevin Brian Eric Alan Roger Gary Larry Andrew
  Anthony Edward Nigel Trevor Stuart Gordon Percival Bartholomew Mohamed Mustafa Nikolai Bogdan Zoltan
  Aang Sokka Bolin Mako Tenzin Ravi Sanjay Anil Suresh Rohan Imran Faisal Khalid Rashid Jamal Malik Idris
  Chidi Emeka Tunde Segun Kwabena Yaw Sipho Thabo Tendai Juma Baraka Mwangi Kamau Otieno Bakary Moussa
  Ousmane Cheikh Modou Abdou Haruto Ren Daichi Ryota Jiro Akira Shinji Jun Hyun Jae Bao Duc Quang Somchai
  Putu Wayan Budi Agus Joko Rizal Jose Juan Miguel Javier Alejandro Fernando Ricardo Rafael Andres Esteban
  Thiago Joao Gustavo Matteo Alessandro Davide Stefano Enzo Jürgen Günther Dieter Klaus Bjorn Magnus Henrik
  Anders Mikkel Jens Pekka Jari Kimi Janne Piotr Jakub Tomasz Marek Vaclav Petr Laszlo Istvan Gabor Dragan
  Goran Zoran Nikos Giorgos Yannis Mehmet Emre Burak Cem Dariush Reza Farhad Levi Moshe Ari Yosef Tane
  Keoni Kai Declan Cormac Finn Rory Angus Hamish Callum Dylan Logan Mason Tyler Austin Jordan Kyle Brandon
  Justin Derek Wayne Earl Clyde Floyd Bernard Alfred Winston Cedric Rupert Jasper Milo Ezra Silas Otis`);

export const women = words(`
  Mary Alice Ann Anna Emily Jane Kate Lucy Linda Susan Nancy Betty Helen Emma Julia Laura Nina Maria Elena
  Sofia Carmen Lucia Paola Giulia Ingrid Astrid Freya Greta Heidi Olga Irina Natasha Svetlana Katarina
  Fatima Aisha Layla Yasmin Leila Priya Lakshmi Deepa Yuki Sakura Hanako Keiko Mei Ling Xiu Amina Zuri
  Nadia Vera Clara Diana Eva Ida Iris Ivy Olivia Sophia Isabella Mia Amelia Charlotte Grace Ruth Sarah
  Rachel Rebecca Esther Judith Barbara Patricia Jennifer Elizabeth Margaret Dorothy Sandra Ashley Kimberly
  Donna Carol Michelle Amanda Melissa Deborah Stephanie Zoë Ursula Katara Azula Toph Penelope Beatrix
  Korra Asami Suki Kavita Anjali Sunita Meera Nisha Pooja Shreya Zainab Maryam Noor Samira Salma Rania Hana
  Ngozi Chioma Adaeze Folake Abena Akosua Efua Thandi Lindiwe Nomsa Wanjiku Achieng Neema Rehema Awa Aminata
  Fatou Mariama Khady Aoi Rin Emi Naoko Yumi Akiko Ji Min Soo Linh Thuy Mai Siti Dewi Ayu Kartika Pilar
  Rosa Ines Beatriz Lourdes Gabriela Valentina Camila Catalina Ximena Bianca Chiara Francesca Alessia Ilaria
  Anke Birgit Ulrike Sabine Monika Solveig Sigrid Liv Maja Elsa Aino Kaisa Agnieszka Zofia Wanda Jana Zuzana
  Ilona Eszter Katalin Mila Jelena Ivana Eleni Despina Kalliope Ayşe Elif Zeynep Shirin Parisa Golnaz Tamar
  Miriam Naomi Hine Leilani Moana Siobhan Niamh Aoife Bronwyn Rhiannon Morag Brooke Madison Hailey Kayla
  Megan Tiffany Courtney Heather Wendy Phyllis Mabel Edith Agatha Winifred Matilda Hazel Daisy Poppy Phoebe`);

export const otherNames = words(`
  Boston Tokyo Paris Berlin Madrid Osaka Kyoto Chicago Sydney Toronto Dallas Oslo Prague Lima Nairobi
  Delhi Mumbai Dublin Oxford Cambridge Manchester Liverpool Seattle Denver Houston Atlanta Austin Madison
  Kobe Nagoya Nagasaki Hiroshima Lagos Accra Dakar Tunis Rabat Jakarta Manila Bangkok Hanoi Budapest Zagreb
  Jackson Smith Brown White Tanaka Yamada Suzuki Kato Sato Johnson Miller Wilson Taylor Anderson Thomas
  Moore Thompson Harris Lewis Walker Baker Nelson Carter Mitchell Roberts Turner Phillips Campbell Parker
  Facebook Google Twitter Wikipedia Esperanto Tatoeba Honda Toyota Einstein Darwin Newton Shakespeare Mozart
  Helsinki Stockholm Zurich Milan Turin Porto Bilbao Sofia Minsk Riga Vilnius Tallinn Bergen Malmö Kampala
  Kigali Mombasa Durban Pretoria Luanda Bamako Lomé Cotonou Ouagadougou Karachi Lahore Kabul Dhaka Kolkata
  Chennai Kathmandu Colombo Hanoi Saigon Taipei Busan Sapporo Sendai Melbourne Auckland Wellington Perth
  Brisbane Vancouver Calgary Ottawa Winnipeg Phoenix Memphis Nashville Portland Tampa Miami Bogota Quito
  Caracas Montevideo Santiago Rosario Cusco Okafor Mensah Diallo Traoré Ndiaye Kone Mwangi Patel Sharma Gupta
  Khan Nguyen Tran Kim Park Wang Zhang Liu Garcia Lopez Rossi Bianchi Müller Schmidt Fischer Novak Kowalski
  Ivanov Petrov Andersson Larsen Hansen Korhonen Nagy Papadopoulos Yilmaz Cohen Murphy Kelly Byrne Stewart`);
