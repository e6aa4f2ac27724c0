SELECT currency, count(*), sum(CAST(replace(net, '.', '') AS INTEGER)) AS net_in_minor_units
FROM receivers GROUP BY currency ORDER BY currency;
