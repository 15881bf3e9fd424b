// This file lets the functions of others be declared without a body.
