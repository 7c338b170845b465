"""What the documents of 株式会社ひばり計器 (Hibari Keiki, a maker of industrial sensors that does not exist) say.

The cast, the same in every module:

- 経営: 桐山誠一 (president)
- 営業部: 大森健太郎 (head), 髙橋美咲 (manager), 西村拓也, 木下彩
- 総務部: 渡邉和子 (head), 早川直樹. 経理部: 長谷川隆 (head), 小野寺由美
- 開発部: 三浦大輔 (head), 岩﨑翔 (leads HV-90), 藤井玲奈 (firmware), 呉志明 (radio), 宮下航 (mechanics)
- 品質保証部: 村上正人 (head), 坂本千尋. 人事部: 森田恵 (head), 上田亮
- 法務室: 松井栄治. 情報システム課: 石田光 (manager), 山口菜々
- Munich Branch: Anna Keller (manager), Tom Lindqvist (sales), Marta Silva (service)

Products: HT-210 temperature, HP-350 pressure, HF-120 flow, HV-80 vibration, HV-90 radio vibration (project あさぎ\
り, for
January 2027), HG-10 gateway (project つばめ). Customers: 北斗製鋼, 瀬戸内ポンプ製作所, 日向食品機械, 玉嶺精密, 東\
海リンデン工業,
Nordhaven Robotics, Bergstrom Pumps. The business year starts in April; the 59th is 2026年度.
"""
